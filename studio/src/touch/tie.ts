// Joints, springs, ropes, motors and forces put in by hand: a point of one body, then another point, of a body or of the
// world. The engine gets an edit; what it cannot have it refuses.
import * as THREE from "three";
import { element, sentence, shortNumber } from "../panel/dom";
import type { SocketSource } from "../source/socket_source";
import { currentLook } from "../view/look";
import type { Stage } from "../view/stage";

type Values = Record<string, unknown>;

/** One kind of tie: what it asks for. */
interface Kind {
  readonly name: string;
  readonly about: string;
  readonly edit: "join" | "force" | "attach";
  readonly second: "point" | "body" | "none"; // what the second click means
  readonly fields: readonly (readonly [string, string, (mass: number) => string])[]; // name, unit, what stands there first
}

const kOne = () => "1";
const kBlank = () => "";
const kSwing = (2 * Math.PI) ** 2; // of a spring on which the body swings once a second, for each kilogram
const kGravity = 9.81; // m/s², where a push is to be of a weight
const kKinds: readonly Kind[] = [
  { name: "pin", about: "the bodies turn freely about the point", edit: "join", second: "body", fields: [] },
  { name: "motor", about: "turns the body", edit: "join", second: "body", fields: [["speed", "rad/s", kOne], ["max_torque", "N m", kBlank]] },
  { name: "slider", about: "slides towards the second point, without turning", edit: "join", second: "point", fields: [] },
  { name: "weld", about: "the two move as one", edit: "join", second: "body", fields: [] },
  { name: "rod", about: "the points keep their distance", edit: "join", second: "point", fields: [["length", "m", kBlank]] },
  { name: "rope", about: "the points come no farther apart", edit: "join", second: "point", fields: [["length", "m", kBlank]] },
  { name: "gear", about: "the turns keep a ratio", edit: "join", second: "body", fields: [["ratio", "", () => "-1"]] },
  { name: "attach", about: "the body moves with the other from now on", edit: "attach", second: "body", fields: [] },
  { name: "connect", about: "drawn to the point, however far it is", edit: "force", second: "point", fields: [["strength", "weights", kOne]] },
  { name: "push", about: "a constant force towards the second point", edit: "force", second: "point", fields: [["force", "N", (m) => String(Number((m * kGravity).toPrecision(3)))]] },
  { name: "spring", about: "pulls the points together", edit: "join", second: "point", fields: [["stiffness", "N/m", (m) => String(Number((m * kSwing).toPrecision(3)))], ["length", "m", kBlank], ["damping", "N s/m", () => "0"]] },
];

/** A point that was clicked: of a body, or of the world. */
interface Place {
  readonly body: number; // -1: the world
  readonly at: THREE.Vector3; // world
}

const kClick = 5; // CSS pixels the pointer may wander

export class TieTool {
  readonly panel = element("div", "tying");
  onEdit: (kind: string, target: string, values: Values) => Promise<boolean> = async () => false;
  onSay: (text: string) => void = () => undefined;

  private readonly choice = element("select");
  private readonly fields = element("div", "fields");
  private readonly start = element("button", "tool", "Pick points");
  private readonly hint = element("p", "note");
  private kinds: Kind[] = [];
  private body = -1;
  private first: Place | null = null;
  private active = false;
  private down: PointerEvent | null = null;
  private readonly line: THREE.Line;

  constructor(
    private readonly stage: Stage,
    private readonly source: SocketSource,
  ) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6), 3));
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ toneMapped: false, depthTest: false, transparent: true }));
    this.line.frustumCulled = false;
    this.line.renderOrder = 20;
    this.line.visible = false;
    stage.scene.add(this.line);
    this.choice.setAttribute("aria-label", "What is put in");
    this.choice.addEventListener("change", () => this.describe());
    this.start.type = "button";
    this.start.addEventListener("click", () => (this.active ? this.end() : this.begin()));
    this.panel.append(element("b", "", "Tie it"), element("div", "row", this.choice, this.start), this.fields, this.hint);
    const { canvas } = stage;
    // before pulling and orbiting see it
    canvas.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    canvas.addEventListener("pointerup", (event) => this.lift(event), { capture: true });
  }

  /** Points are being picked: a press is no pull. */
  get picking(): boolean {
    return this.active;
  }

  /** What the scene's method takes. */
  build(): void {
    const { joints, forces, edits, touch } = this.source.head;
    this.end();
    this.kinds = kKinds.filter(({ name, edit }) => {
      if (edit === "attach") return edits.includes("attach");
      if (edit === "force") return forces.includes(name);
      return edits.includes("join") ? joints.includes(name) : name === "spring" && forces.includes(name);
    });
    if (touch === "none") this.kinds = [];
    this.choice.replaceChildren(
      ...this.kinds.map(({ name }) => {
        const option = element("option", "", name);
        option.value = name;
        return option;
      }),
    );
    this.describe();
  }

  select(body: number): void {
    this.body = body;
    this.panel.hidden = this.kinds.length === 0 || body < 0 || this.source.bodies[body]?.fixed === true;
    if (this.panel.hidden) this.end();
    this.describe();
  }

  end(): void {
    this.active = false;
    this.first = null;
    this.line.visible = false;
    this.stage.controls.enabled = true;
    this.start.textContent = "Pick points";
    this.hint.textContent = this.about;
    this.stage.redraw();
  }

  private get kind(): Kind | undefined {
    return this.kinds.find(({ name }) => name === this.choice.value) ?? this.kinds[0];
  }

  private get about(): string {
    return this.kind ? sentence(this.kind.about) : "";
  }

  private describe(): void {
    if (!this.active) this.hint.textContent = this.about;
    const mass = this.source.bodies[this.body]?.mass || 1;
    this.fields.replaceChildren(
      ...(this.kind?.fields ?? []).map(([name, unit, first]) => {
        const input = element("input");
        input.type = "text";
        input.inputMode = "decimal";
        input.name = name;
        input.value = first(mass);
        input.placeholder = "as it is";
        return element("label", "field", element("span", "", unit ? `${name}, ${unit}` : name), input);
      }),
    );
  }

  private begin(): void {
    if (!this.kind || this.body < 0) return;
    this.active = true;
    this.start.textContent = "Cancel";
    this.hint.textContent = `Click the point of ${this.source.bodies[this.body].name} (Esc: not).`;
  }

  private press(event: PointerEvent): void {
    if (!this.active || event.button !== 0) return;
    this.down = event;
    event.stopImmediatePropagation();
  }

  private lift(event: PointerEvent): void {
    const { down } = this;
    this.down = null;
    if (!this.active || !down) return;
    event.stopImmediatePropagation();
    if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > kClick) return;
    this.pick(event);
  }

  private move(event: PointerEvent): void {
    if (!this.active || !this.first) return;
    event.stopImmediatePropagation();
    const to = this.placeAt(event).at;
    const places = this.line.geometry.getAttribute("position") as THREE.BufferAttribute;
    places.setXYZ(0, ...this.first.at.toArray());
    places.setXYZ(1, ...to.toArray());
    places.needsUpdate = true;
    (this.line.material as THREE.LineBasicMaterial).color.set(currentLook().accent);
    this.line.visible = true;
    this.stage.redraw();
  }

  /** A body's point, or one of the world as far away as the first, or as the middle of all. */
  private placeAt(event: PointerEvent): Place {
    const hit = this.stage.pickAt(event);
    if (hit) return { body: hit.body, at: hit.point };
    const facing = this.source.head.plane
      ? new THREE.Vector3(0, 0, 1)
      : this.stage.camera.getWorldDirection(new THREE.Vector3()).negate();
    const through = this.first?.at ?? this.stage.controls.target;
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(facing, through);
    const at = this.stage.rayAt(event).ray.intersectPlane(plane, new THREE.Vector3());
    return { body: -1, at: at ?? through.clone() };
  }

  /** What a click means now. */
  private pick(event: PointerEvent): void {
    const place = this.placeAt(event);
    if (!this.first) {
      if (place.body !== this.body) {
        this.onSay(`This is no point of ${this.source.bodies[this.body].name}.`);
        return;
      }
      this.first = place;
      this.hint.textContent =
        this.kind?.second === "body"
          ? "Now the other body, or elsewhere for the world."
          : "Now the other point: of a body, or anywhere.";
      return;
    }
    if (place.body === this.body && this.kind?.edit !== "force") {
      this.onSay("The second point belongs to the same body.");
      return;
    }
    void this.make(this.first, place);
  }

  private local(place: Place): number[] {
    if (place.body < 0) return place.at.toArray();
    const at = place.at.clone().applyMatrix4(this.stage.bodies.matrices[place.body].clone().invert());
    if (this.source.head.plane) at.z = 0;
    return at.toArray();
  }

  private freeName(kind: string): string {
    const names = new Set([...this.source.ties.map(({ name }) => name), ...this.source.bodies.map(({ name }) => name)]);
    let number = 1;
    while (names.has(`${kind}-${number}`)) ++number;
    return `${kind}-${number}`;
  }

  private numbers(): Values {
    const out: Values = {};
    for (const input of this.fields.querySelectorAll("input"))
      if (input.value.trim() !== "" && Number.isFinite(Number(input.value))) out[input.name] = Number(input.value);
    return out;
  }

  private async make(a: Place, b: Place): Promise<void> {
    const kind = this.kind!;
    const name = (place: Place) => this.source.bodies[place.body]?.name ?? "";
    const values = this.numbers();
    const length = a.at.distanceTo(b.at);
    this.end();
    if (kind.edit === "attach") {
      if (b.body < 0) this.onSay("Attach to a body.");
      else await this.onEdit("attach", name(a), { to: name(b) });
      return;
    }
    const between = { body_a: name(a), point_a: this.local(a), ...(b.body >= 0 ? { body_b: name(b) } : {}) };
    const along = b.at.clone().sub(a.at);
    if (kind.name === "push") {
      const vector = along.normalize().multiplyScalar(Number(values.force ?? 1)).toArray();
      await this.put(kind, "add", { force: "push", body_a: name(a), point_a: this.pushPoint(a), vector });
      return;
    }
    if (kind.name === "spring") values.length ??= length;
    if (kind.name === "slider") {
      const turn = new THREE.Matrix4().extractRotation(this.stage.bodies.matrices[a.body]).invert();
      values.axis = along.applyMatrix4(turn).normalize().toArray();
    }
    const asForce = kind.edit === "force" || !this.source.head.edits.includes("join");
    if (kind.second === "point" && kind.name !== "slider") Object.assign(between, { point_b: this.local(b) });
    if (asForce) await this.put(kind, "add", { force: kind.name, ...between, ...values, point_a: this.pushPoint(a) });
    else await this.put(kind, "join", { joint: kind.name, ...between, ...values });
  }

  /** Where the method lets forces act at centres alone, there. */
  private pushPoint(a: Place): number[] {
    return this.source.head.offCentre ? this.local(a) : [...this.source.centers[a.body]];
  }

  private async put(kind: Kind, edit: "join" | "add", values: Values): Promise<void> {
    const target = this.freeName(kind.name);
    if (await this.onEdit(edit, target, values))
      this.onSay(`Put in: ${target}${typeof values.length === "number" ? `, ${shortNumber(values.length)} m long` : ""}`);
  }
}
