// Browsers that draw nothing, at once or from some moment on: the page says so rather than stay empty.
import { element } from "../panel/dom";

const kNone =
  "This browser draws nothing: it has no WebGL. Switch on its graphics acceleration, or take another browser; `repose render` draws pictures without one.";
const kTakenAway = "The browser has taken the drawing away. What is computed goes on; the drawing comes back when the browser gives it back, or when this page is loaded anew.";
const kEmpty = "This browser draws nothing: its WebGL leaves every picture black. Switch on its graphics acceleration, or take another browser.";

/** There is no WebGL. */
export class NoDrawing extends Error {
  constructor() {
    super(kNone);
  }
}

/** Says over the view when the browser takes the drawing away, until it comes back; `redraw` then draws everything. */
export class DrawingWatch {
  private readonly note = element("p", "undrawn");
  private looked = false;

  constructor(canvas: HTMLCanvasElement, holder: HTMLElement, redraw: () => void) {
    this.note.hidden = true;
    this.note.setAttribute("role", "alert");
    holder.append(this.note);
    canvas.addEventListener("webglcontextlost", () => this.say(kTakenAway));
    canvas.addEventListener("webglcontextrestored", () => {
      this.note.hidden = true;
      redraw();
    });
  }

  /** Looks once at a picture that has just been drawn and covers all of the canvas with colours that are not black. */
  lookAt(gl: WebGLRenderingContext | WebGL2RenderingContext): void {
    if (this.looked || gl.isContextLost()) return;
    this.looked = true;
    const [right, top] = [gl.drawingBufferWidth - 1, gl.drawingBufferHeight - 1];
    const pixel = new Uint8Array(4);
    for (const [x, y] of [[0, 0], [right, 0], [0, top], [right, top]]) {
      gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      if (pixel[0] + pixel[1] + pixel[2] > 0) return;
    }
    this.say(kEmpty);
  }

  private say(what: string): void {
    this.note.textContent = what;
    this.note.hidden = false;
  }
}
