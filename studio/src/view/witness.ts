// How a body that does not stand firmly would begin to move: its ghost goes there and back.
import * as THREE from "three";
import type { FrameSource } from "../source/frame_source";
import { ghostOf, reachOf } from "./ghost_body";
import type { Stage } from "./stage";

/** A motion of one body: of its centre of mass and about it. */
export interface Motion {
  readonly body: string;
  readonly velocity: readonly [number, number, number];
  readonly angular_velocity: readonly [number, number, number];
}

const kShare = 0.25; // of its size, there and back
const kSeconds = 2.4;

export class Witness {
  private readonly ghost = new THREE.Group();
  private picture = 0;
  private begun = 0;

  constructor(
    private readonly stage: Stage,
    private readonly source: FrameSource & { readonly centers: readonly (readonly [number, number, number])[] },
  ) {}

  get playing(): boolean {
    return this.picture !== 0;
  }

  /** False: the body is not there. */
  play(motion: Motion): boolean {
    this.stop();
    const body = this.source.bodies.findIndex(({ name }) => name === motion.body);
    if (body < 0) return false;
    this.ghost.clear();
    this.ghost.add(ghostOf(this.source, body));
    this.stage.scene.add(this.ghost);
    const still = this.stage.bodies.matrices[body].clone();
    const center = new THREE.Vector3(...this.source.centers[body]).applyMatrix4(still);
    const [way, turn] = [motion.velocity, motion.angular_velocity].map((v) => new THREE.Vector3(...v));
    const size = reachOf(this.source, body);
    // so that no point of it goes farther than its share
    const pace = (kShare * size) / Math.max(way.length() + turn.length() * size, Number.MIN_VALUE);
    const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.begun = performance.now();
    const draw = () => {
      const seconds = (performance.now() - this.begun) / 1000;
      const amount = reduced ? pace : 0.5 * pace * (1 - Math.cos((2 * Math.PI * seconds) / kSeconds));
      const rotation = new THREE.Matrix4().makeRotationAxis(
        turn.length() > 0 ? turn.clone().normalize() : new THREE.Vector3(0, 0, 1),
        amount * turn.length(),
      );
      const move = new THREE.Matrix4()
        .makeTranslation(center.clone().addScaledVector(way, amount))
        .multiply(rotation)
        .multiply(new THREE.Matrix4().makeTranslation(center.clone().negate()))
        .multiply(still);
      move.decompose(this.ghost.position, this.ghost.quaternion, this.ghost.scale);
      this.stage.redraw();
      this.picture = reduced ? -1 : requestAnimationFrame(draw);
    };
    draw();
    return true;
  }

  stop(): void {
    if (!this.picture) return;
    cancelAnimationFrame(this.picture);
    this.picture = 0;
    this.stage.scene.remove(this.ghost);
    this.stage.redraw();
  }
}
