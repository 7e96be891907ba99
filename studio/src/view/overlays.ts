// What lies over the drawing as text and lines: names of bodies, the ways they went, the axes.
import * as THREE from "three";
import type { FrameSource } from "../source/frame_source";

const kMostLabels = 60;
const kMostTrails = 12; // bodies with a trail where none is selected
const kMostTrailPoints = 2000;

/** Names beside their bodies. */
export class Labels {
  readonly box = document.createElement("div");
  visible = false;
  private readonly labels: { body: number; element: HTMLElement }[] = [];

  constructor(source: FrameSource) {
    this.box.className = "labels";
    this.box.setAttribute("aria-hidden", "true");
    const shown = source.bodies.map((body, i) => ({ body, i })).filter(({ body }) => source.shapes[body.shape].kind !== "half_space");
    for (const { body, i } of shown.slice(0, kMostLabels)) {
      const element = document.createElement("span");
      element.textContent = body.name;
      this.labels.push({ body: i, element });
      this.box.append(element);
    }
  }

  place(matrices: readonly THREE.Matrix4[], camera: THREE.Camera, canvas: HTMLCanvasElement, hidden: (body: number) => boolean): void {
    this.box.hidden = !this.visible;
    if (!this.visible) return;
    const point = new THREE.Vector3();
    for (const { body, element } of this.labels) {
      point.setFromMatrixPosition(matrices[body]).project(camera);
      element.hidden = hidden(body) || Math.abs(point.z) > 1;
      element.style.transform = `translate(${(50 * (point.x + 1) * canvas.clientWidth) / 100}px, ${(50 * (1 - point.y) * canvas.clientHeight) / 100}px)`;
    }
  }
}

/** The ways of body origins up to the frame that is shown. */
export class Trails extends THREE.Group {
  private readonly ink = new THREE.LineBasicMaterial({ toneMapped: false, transparent: true, opacity: 0.8 });
  private of = -2;

  constructor(private readonly source: FrameSource) {
    super();
    this.visible = false;
    this.names = this.namesNow();
  }
  private readonly names: string;
  private namesNow(): string {
    return this.source.bodies.map(({ name }) => name).join("\n");
  }

  /** The bodies are still those of whom it knows. */
  fit(): boolean {
    return this.names === this.namesNow();
  }

  apply(color: number): void {
    this.ink.color.set(color);
  }

  /** `selected`: its trail alone; -1: those of the first few that move. */
  show(selected: number, index: number): void {
    if (!this.visible) return;
    if (this.source.live) {
      this.grow(selected);
      return;
    }
    if (this.of !== selected) this.build(selected);
    this.of = selected;
    const stride = this.stride();
    for (const line of this.children as THREE.Line[])
      line.geometry.setDrawRange(0, Math.floor(index / stride) + 1);
  }

  /** Of a run under way: the ways since trails were asked for; a state gone back to takes the rest away. */
  private grow(selected: number): void {
    if (this.of !== selected) {
      this.clearLines();
      this.bodies = this.bodiesOf(selected);
      this.ways = this.bodies.map(() => []);
      this.steps = [];
      for (const _ of this.bodies) this.addLine(new Float32Array(3 * kMostTrailPoints));
    }
    this.of = selected;
    const { step, positions } = this.source.frame(0);
    while (this.steps.length && this.steps[this.steps.length - 1] >= step) {
      this.steps.pop();
      for (const way of this.ways) way.length -= 3;
    }
    this.steps.push(step);
    this.bodies.forEach((body, k) => this.ways[k].push(...positions.subarray(3 * body, 3 * body + 3)));
    if (this.steps.length > kMostTrailPoints) {
      this.steps = this.steps.filter((_, i) => i % 2 === 0);
      this.ways = this.ways.map((way) => way.filter((_, i) => Math.floor(i / 3) % 2 === 0));
    }
    (this.children as THREE.Line[]).forEach((line, k) => {
      const places = line.geometry.getAttribute("position") as THREE.BufferAttribute;
      (places.array as Float32Array).set(this.ways[k]);
      places.needsUpdate = true;
      line.geometry.setDrawRange(0, this.steps.length);
    });
  }
  private bodies: number[] = [];
  private ways: number[][] = []; // x, y, z of each of them
  private steps: number[] = [];

  /** From nothing the next time. */
  forget(): void {
    this.of = -2;
    this.clearLines();
  }

  private clearLines(): void {
    for (const line of [...this.children] as THREE.Line[]) {
      this.remove(line);
      line.geometry.dispose();
    }
  }

  private bodiesOf(selected: number): number[] {
    const moving = this.source.bodies.flatMap(({ fixed }, i) => (fixed ? [] : [i]));
    return selected >= 0 ? [selected] : moving.slice(0, kMostTrails);
  }

  private addLine(way: Float32Array): void {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(way, 3));
    const line = new THREE.Line(geometry, this.ink);
    line.frustumCulled = false;
    this.add(line);
  }

  private stride(): number {
    return Math.max(1, Math.ceil(this.source.frameCount / kMostTrailPoints));
  }

  private build(selected: number): void {
    this.clearLines();
    const { source } = this;
    const bodies = this.bodiesOf(selected);
    const ways: number[][] = bodies.map(() => []);
    for (let f = 0; f < source.frameCount; f += this.stride()) {
      const { positions } = source.frame(f);
      bodies.forEach((body, k) => ways[k].push(...positions.subarray(3 * body, 3 * body + 3)));
    }
    for (const way of ways) this.addLine(Float32Array.from(way));
  }
}

const kSvg = "http://www.w3.org/2000/svg";
const kArm = 22; // CSS pixels

/** Which way x, y and z point, in a corner. */
export class Axes {
  readonly box = document.createElementNS(kSvg, "svg");
  private readonly arms: { axis: THREE.Vector3; line: SVGLineElement; text: SVGTextElement }[] = [];

  constructor() {
    this.box.setAttribute("class", "axes");
    this.box.setAttribute("viewBox", "-32 -32 64 64");
    this.box.setAttribute("role", "img");
    this.box.setAttribute("aria-label", "Directions of x, y and z");
    for (const [k, name] of ["x", "y", "z"].entries()) {
      const line = document.createElementNS(kSvg, "line");
      const text = document.createElementNS(kSvg, "text");
      line.setAttribute("class", name);
      text.textContent = name;
      this.box.append(line, text);
      this.arms.push({ axis: new THREE.Vector3().setComponent(k, 1), line, text });
    }
  }

  private shown: THREE.Quaternion | null = null; // from where

  turn(camera: THREE.Camera): void {
    if (this.shown?.equals(camera.quaternion)) return;
    this.shown = camera.quaternion.clone();
    const at = new THREE.Vector3();
    const back = camera.quaternion.clone().invert();
    for (const { axis, line, text } of this.arms) {
      at.copy(axis).applyQuaternion(back);
      line.setAttribute("x2", (kArm * at.x).toFixed(1));
      line.setAttribute("y2", (-kArm * at.y).toFixed(1));
      text.setAttribute("x", (1.28 * kArm * at.x).toFixed(1));
      text.setAttribute("y", (-1.28 * kArm * at.y + 3.5).toFixed(1));
      line.style.opacity = text.style.opacity = at.z < -0.2 ? "0.45" : "1";
    }
  }
}
