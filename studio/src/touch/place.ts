// A body that is taken out of the scene by hand and put somewhere else: drawn transparent, moved by a gizmo or by six
// numbers, with dots where it would overlap others. Nothing in the engine moves until it is let go.
import * as THREE from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import { element, shortNumber } from "../panel/dom";
import type { Connection } from "../source/connection";
import type { SocketSource } from "../source/socket_source";
import { ghostOf } from "../view/ghost_body";
import { currentLook } from "../view/look";
import type { Stage } from "../view/stage";

interface Meeting {
  readonly other: string;
  readonly point: [number, number, number];
  readonly gap: [number | null, number | null];
  readonly overlaps: boolean;
}

const kSnapTurn = Math.PI / 12; // with shift
const kSnapShare = 0.05; // of the scene's radius
const kFarthest = 1e9; // m or degrees: what a scene takes
const kDigits = 7; // after the point, of metres and degrees
const kNarrow = 0.05; // of a depth: bounds closer than this are shown as one figure
const kDegree = 180 / Math.PI;
const kFields = ["x", "y", "z", "roll", "pitch", "yaw"] as const;

export class PlaceTool {
  onRefused: (error: Error) => void = () => undefined;
  onEnd: () => void = () => undefined;
  readonly panel = element("div", "placing");
  /** How deep it is where it overlaps, beside the dots. */
  readonly depths = element("div", "depths");
  /** What the judge last said of the body's place. */
  meets: readonly Meeting[] = [];

  private body = -1;
  private readonly ghost = new THREE.Group();
  private readonly gizmo: TransformControls;
  private readonly inputs: HTMLInputElement[];
  private readonly list = element("ul", "meets");
  private readonly even = element("input"); // moves go in even steps
  private busy = false;
  private asked = true; // nothing has moved since the last question

  constructor(
    private readonly stage: Stage,
    private readonly source: SocketSource,
    private readonly link: Connection,
  ) {
    this.gizmo = new TransformControls(stage.camera, stage.canvas);
    this.gizmo.addEventListener("dragging-changed", (event) => {
      stage.controls.enabled = !event.value;
    });
    this.gizmo.addEventListener("objectChange", () => this.moved());
    this.gizmo.addEventListener("change", () => stage.redraw());
    this.gizmo.enabled = false;
    this.depths.setAttribute("aria-hidden", "true"); // the panel says it in words
    stage.onDrawn = () => this.followDots();
    this.inputs = kFields.map((name) => {
      const input = element("input");
      input.type = "text";
      input.inputMode = "decimal";
      input.name = name;
      input.setAttribute("aria-label", name);
      input.addEventListener("change", () => this.readFields());
      return input;
    });
    this.buildPanel();
    window.addEventListener("keydown", ({ key }) => key === "Shift" && this.snap(true));
    window.addEventListener("keyup", ({ key }) => key === "Shift" && this.snap(this.even.checked));
  }

  get holding(): number {
    return this.body;
  }

  start(body: number): void {
    if (this.source.head.touch !== "hold" || this.source.bodies[body].fixed) return;
    this.end();
    this.body = body;
    const frame = this.source.frame(0);
    this.ghost.clear();
    this.ghost.add(ghostOf(this.source, body));
    this.ghost.position.fromArray(frame.positions, 3 * body);
    this.ghost.quaternion.fromArray(frame.orientations, 4 * body);
    this.stage.scene.add(this.ghost, this.gizmo.getHelper());
    this.gizmo.attach(this.ghost);
    this.gizmo.enabled = true;
    this.stage.hide(body);
    this.panel.hidden = false;
    this.moved();
  }

  mode(mode: "translate" | "rotate"): void {
    this.gizmo.setMode(mode);
    this.stage.redraw();
  }

  /** Puts the ghost somewhere, as a hand would. */
  moveTo(position: readonly number[], turn?: readonly number[]): void {
    this.ghost.position.fromArray(position as number[]);
    if (turn) this.ghost.quaternion.fromArray(turn as number[]);
    this.moved();
  }

  letGo(): void {
    if (this.body < 0) return;
    const body = this.source.bodies[this.body].name;
    this.link.ask("let_go", { body, ...this.pose() }).then(
      () => this.end(),
      (error: Error) => this.onRefused(error),
    );
  }

  /** The body is where it was. */
  end(): void {
    if (this.body < 0) return;
    this.body = -1;
    this.gizmo.detach();
    this.gizmo.enabled = false;
    this.stage.controls.enabled = true;
    this.stage.scene.remove(this.ghost, this.gizmo.getHelper());
    this.stage.hide(-1);
    this.stage.mark([]);
    this.panel.hidden = true;
    this.depths.replaceChildren();
    this.onEnd();
  }

  private followDots(): void {
    const at = new THREE.Vector3();
    for (const label of this.depths.children as HTMLCollectionOf<HTMLElement>) {
      at.fromArray(label.dataset.at!.split(",").map(Number)).project(this.stage.camera);
      label.style.left = `${(50 + 50 * at.x).toFixed(2)}%`;
      label.style.top = `${(50 - 50 * at.y).toFixed(2)}%`;
    }
  }

  private pose(): { position: number[]; rotation: number[] } {
    const { x, y, z, w } = this.ghost.quaternion;
    return { position: this.ghost.position.toArray(), rotation: [w, x, y, z] };
  }

  private snap(on: boolean): void {
    this.gizmo.setTranslationSnap(on ? kSnapShare * this.stage.sceneRadius : null);
    this.gizmo.setRotationSnap(on ? kSnapTurn : null);
  }

  private buildPanel(): void {
    const button = (label: string, title: string, act: () => void) => {
      const out = element("button", "tool", label);
      out.type = "button";
      out.title = title;
      out.addEventListener("click", act);
      return out;
    };
    const fields = kFields.map((name, k) =>
      element("label", "field", element("span", "", k < 3 ? `${name}, m` : `${name}, °`), this.inputs[k]),
    );
    this.even.type = "checkbox";
    this.even.addEventListener("change", () => this.snap(this.even.checked));
    const snapping = element("label", "switch", this.even, element("span", "", "Even steps (shift)"));
    snapping.title = "The gizmo moves by a twentieth of the scene's radius, and turns by 15°";
    this.panel.append(
      element("div", "fields", ...fields),
      snapping,
      this.list,
      element(
        "div",
        "tools",
        button("Move", "Arrows that move it (G)", () => this.mode("translate")),
        button("Turn", "Rings that turn it (R)", () => this.mode("rotate")),
        button("Let go", "It settles from there (Enter)", () => this.letGo()),
        button("Put back", "Where it was (Esc)", () => this.end()),
      ),
    );
    this.panel.hidden = true;
  }

  private readFields(): void {
    const numbers = this.inputs.map(({ value }) => (value.trim() === "" ? Number.NaN : Number(value)));
    if (numbers.some((x) => !(Math.abs(x) <= kFarthest))) {
      this.writeFields(true);
      return;
    }
    const [x, y, z, roll, pitch, yaw] = numbers;
    this.ghost.position.set(x, y, z);
    this.ghost.quaternion.setFromEuler(
      new THREE.Euler(roll / kDegree, pitch / kDegree, yaw / kDegree, "ZYX"),
    );
    this.moved();
  }

  /** `all`: the one that is in use, too. */
  private writeFields(all = false): void {
    const { x, y, z } = this.ghost.position;
    const turn = new THREE.Euler().setFromQuaternion(this.ghost.quaternion, "ZYX");
    [x, y, z, turn.x * kDegree, turn.y * kDegree, turn.z * kDegree].forEach((value, k) => {
      if (all || document.activeElement !== this.inputs[k])
        this.inputs[k].value = String(Number(value.toFixed(kDigits)));
    });
  }

  private moved(): void {
    this.writeFields();
    this.stage.redraw();
    this.asked = false;
    this.ask();
  }

  // one question at a time, about the newest place
  private ask(): void {
    if (this.body < 0 || this.asked || this.busy) return;
    this.asked = this.busy = true;
    const done = () => {
      this.busy = false;
      this.ask();
    };
    this.link.ask("hold", { body: this.source.bodies[this.body].name, ...this.pose() }).then(
      (answer) => {
        this.show(answer.meets as Meeting[]);
        done();
      },
      (error: Error) => {
        this.onRefused(error);
        done();
      },
    );
  }

  private show(meets: readonly Meeting[]): void {
    if (this.body < 0) return;
    this.meets = meets;
    const bad = meets.some(({ overlaps }) => overlaps);
    this.panel.classList.toggle("bad", bad);
    const rows = meets.map(({ other, gap, overlaps }) =>
      element(
        "li",
        overlaps ? "missed" : "",
        overlaps
          ? `overlaps ${other}, ${shortNumber(-(gap[1] ?? 0))} to ${shortNumber(-(gap[0] ?? NaN))} m deep`
          : `touches ${other}, or nearly`,
      ),
    );
    this.list.replaceChildren(...(rows.length ? rows : [element("li", "kept", "overlaps nothing")]));
    this.stage.mark(
      meets
        .filter(({ overlaps }) => overlaps)
        .map(({ other, point }) => ({ point, label: other, bad: true })),
    );
    this.depths.replaceChildren(
      ...meets
        .filter(({ overlaps }) => overlaps)
        .map(({ point, gap }) => {
          const [least, most] = [-(gap[1] ?? 0), -(gap[0] ?? NaN)];
          const narrow = most - least < kNarrow * most;
          const label = element("span", "depth", narrow ? `${shortNumber(most)} m` : `${shortNumber(least)} to ${shortNumber(most)} m`);
          label.dataset.at = point.join();
          return label;
        }),
    );
    this.ghost.traverse((part) => {
      if (part instanceof THREE.Mesh)
        (part.material as THREE.MeshStandardMaterial).emissive.set(bad ? currentLook().bad : 0);
    });
    this.stage.redraw();
  }
}
