// A hand that pulls bodies of a run under way: a spring from the point it took to the pointer. The engine does the
// pulling, so that nothing passes through anything.
import * as THREE from "three";
import { element, shortNumber } from "../panel/dom";
import type { Connection } from "../source/connection";
import type { SocketSource } from "../source/socket_source";
import { currentLook } from "../view/look";
import type { Stage } from "../view/stage";

const kHandSize = 0.02; // of half the picture's height, where it is

interface Hold {
  body: number;
  readonly name: string;
  readonly local: THREE.Vector3; // body frame; of a soft body unused
  point: number; // soft bodies: nearest point in Frame.points; -1: rigid
  readonly from: THREE.Vector3; // where it was held when it was last looked at
  lost: boolean; // the scene is another since, and no frame of it is here
  readonly plane: THREE.Plane; // in which the pointer moves
  readonly to: THREE.Vector3;
  sent: boolean; // the engine knows of the last `to`
  first: boolean;
}

export class PullTool {
  /** N; 0: the spring's own limit. */
  maxForce = 0;
  onRefused: (error: Error) => void = () => undefined;
  /** A press may be a pull. */
  free: () => boolean = () => true;

  private hold: Hold | null = null;
  private busy = false;
  private readonly line: THREE.Line;
  private readonly hand: THREE.Mesh; // where the pointer is
  /** What the spring pulls with, beside the pointer. */
  readonly label = element("output", "pull-force");

  constructor(
    private readonly stage: Stage,
    private readonly source: SocketSource,
    private readonly link: Connection,
  ) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6), 3));
    this.line = new THREE.Line(
      geometry,
      new THREE.LineBasicMaterial({ toneMapped: false, depthTest: false, transparent: true }),
    );
    this.line.frustumCulled = false;
    this.line.renderOrder = 20;
    this.line.visible = false;
    this.hand = new THREE.Mesh(
      new THREE.SphereGeometry(1, 16, 12),
      new THREE.MeshBasicMaterial({ toneMapped: false, depthTest: false, transparent: true, opacity: 0.85 }),
    );
    this.hand.renderOrder = 21;
    this.hand.visible = false;
    this.label.hidden = true;
    this.label.setAttribute("aria-live", "off");
    stage.scene.add(this.line, this.hand);
    const { canvas } = stage;
    canvas.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const)
      canvas.addEventListener(name, () => this.letGo());
  }

  get holding(): string | null {
    return this.hold?.name ?? null;
  }

  letGo(): void {
    if (!this.hold) return;
    this.hold = null;
    this.stage.controls.enabled = true;
    this.line.visible = this.hand.visible = false;
    this.label.hidden = true;
    this.stage.redraw();
    this.link.ask("release").catch(() => undefined);
  }

  /** The scene has been made anew, as when a soft body is sampled again: what is still there stays in the hand. */
  keep(): void {
    const { hold } = this;
    if (!hold) return;
    hold.body = this.source.bodies.findIndex(({ name }) => name === hold.name);
    hold.lost = true;
    if (hold.body < 0) this.letGo();
  }

  /** The engine's word on the force, N. */
  tell(force: number): void {
    this.label.hidden = !this.hold;
    if (!this.hold) return;
    this.label.textContent = `${shortNumber(force)} N`;
    const seen = this.hold.to.clone().project(this.stage.camera);
    this.label.style.left = `${(50 + 50 * seen.x).toFixed(2)}%`;
    this.label.style.top = `${(50 - 50 * seen.y).toFixed(2)}%`;
  }

  /** Draws the spring where the newest frame has its body. */
  follow(): void {
    if (!this.hold) return;
    if (this.hold.lost && this.hold.point >= 0) this.hold.point = this.nearestPoint(this.hold.body, this.hold.from);
    this.hold.lost = false;
    const from = this.hold.from.copy(this.heldPoint(this.hold));
    const places = this.line.geometry.getAttribute("position") as THREE.BufferAttribute;
    places.setXYZ(0, from.x, from.y, from.z);
    places.setXYZ(1, this.hold.to.x, this.hold.to.y, this.hold.to.z);
    places.needsUpdate = true;
    for (const part of [this.line, this.hand])
      (part.material as THREE.LineBasicMaterial).color.set(currentLook().force);
    this.hand.position.copy(this.hold.to);
    this.hand.scale.setScalar(
      kHandSize * this.stage.camera.position.distanceTo(this.hold.to) * Math.tan(THREE.MathUtils.degToRad(this.stage.camera.fov / 2)),
    );
    this.line.visible = this.hand.visible = true;
    this.stage.redraw();
  }

  private heldPoint({ body, local, point }: Hold): THREE.Vector3 {
    if (point >= 0) return new THREE.Vector3().fromArray(this.source.frame(0).points, 3 * point);
    return local.clone().applyMatrix4(this.stage.bodies.matrices[body]);
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || this.source.head.touch !== "drag" || !this.link.up || !this.free()) return;
    const hit = this.stage.pickAt(event);
    const info = hit ? this.source.bodies[hit.body] : null;
    if (!hit || !info || info.fixed) return;
    this.stage.controls.enabled = false;
    this.stage.canvas.setPointerCapture(event.pointerId);
    const facing = this.source.head.plane
      ? new THREE.Vector3(0, 0, 1)
      : this.stage.camera.getWorldDirection(new THREE.Vector3()).negate();
    this.hold = {
      body: hit.body,
      name: info.name,
      local: hit.point.clone().applyMatrix4(this.stage.bodies.matrices[hit.body].clone().invert()),
      point: info.pointCount > 0 ? this.nearestPoint(hit.body, hit.point) : -1,
      from: hit.point.clone(),
      lost: false,
      plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit.point),
      to: hit.point.clone(),
      sent: false,
      first: true,
    };
  }

  private nearestPoint(body: number, at: THREE.Vector3): number {
    const { firstPoint, pointCount } = this.source.bodies[body];
    const { points } = this.source.frame(0);
    const place = new THREE.Vector3();
    let best = firstPoint;
    let least = Number.POSITIVE_INFINITY;
    for (let p = firstPoint; p < firstPoint + pointCount; ++p) {
      const away = place.fromArray(points, 3 * p).distanceToSquared(at);
      if (away < least) [best, least] = [p, away];
    }
    return best;
  }

  private move(event: PointerEvent): void {
    const { hold } = this;
    if (!hold) return;
    const at = this.stage.rayAt(event).ray.intersectPlane(hold.plane, new THREE.Vector3());
    if (!at) return;
    hold.to.copy(at);
    hold.sent = false;
    if (!hold.lost) this.follow();
    this.send();
  }

  // one question at a time: the newest place is asked for when the last has its answer
  private send(): void {
    const { hold } = this;
    if (!hold || hold.sent || this.busy) return;
    hold.sent = this.busy = true;
    const at = hold.first ? { at: this.heldPoint(hold).toArray() } : {};
    hold.first = false;
    const done = () => {
      this.busy = false;
      this.send();
    };
    this.link
      .ask("grab", { body: hold.name, to: hold.to.toArray(), max_force: this.maxForce, ...at })
      .then(done, (error: Error) => {
        // what cannot be held is let go, and said once
        if (this.hold === hold) {
          this.onRefused(error);
          this.letGo();
        }
        done();
      });
  }
}
