// Surfel bodies: their surface in their own colour or by strain, or their phyxels. Balls are drawn by `bodies`.
import * as THREE from "three";
import type { Frame, FrameSource } from "../source/frame_source";
import type { Bodies } from "./bodies";
import { colourAt } from "./quantities";
import { SurfelShape, SurfelSurface, phyxelDistance } from "./surfel_surface";

/** How surfel bodies are drawn. */
export type SurfelLook = "surface" | "strain" | "balls" | "phyxels";
export const kSurfelLooks: readonly SurfelLook[] = ["surface", "strain", "balls", "phyxels"];

interface SurfelBody {
  readonly body: number;
  readonly phyxels: number;
  readonly motion: SurfelSurface;
  readonly surface: THREE.Mesh;
  readonly balls: THREE.InstancedMesh;
  readonly strains: Float32Array;
}

const kPhyxelShare = 0.35; // radius of a drawn phyxel, of their distance

export class SurfelBodies extends THREE.Group {
  look: SurfelLook = "surface";
  /** The largest strain that is shown; NaN: none is. */
  most = Number.NaN;
  private readonly source: FrameSource;
  private readonly bodies: Bodies; // their places and colours
  private readonly parts: SurfelBody[] = [];

  /** `plain`: without a graphics card. */
  constructor(source: FrameSource, bodies: Bodies, plain: boolean) {
    super();
    this.source = source;
    this.bodies = bodies;
    const known = new Map<number, SurfelSurface>();
    source.bodies.forEach((info, body) => {
      const shape = source.shapes[info.shape];
      if (shape.kind !== "surfels") return;
      if (!known.has(info.shape)) known.set(info.shape, new SurfelSurface(shape));
      this.parts.push(this.partOf(body, shape, known.get(info.shape)!, plain));
    });
  }

  private partOf(body: number, shape: SurfelShape, motion: SurfelSurface, plain: boolean): SurfelBody {
    const material = this.source.materials[this.source.bodies[body].material];
    const finish = { side: THREE.DoubleSide, transparent: material.opacity < 1, opacity: material.opacity };
    const make = () =>
      plain
        ? new THREE.MeshLambertMaterial(finish)
        : new THREE.MeshStandardMaterial({ ...finish, roughness: Math.max(0.08, material.roughness) });
    const geometry = new THREE.BufferGeometry();
    for (const name of ["position", "normal", "color"])
      geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * motion.count), 3));
    geometry.setIndex(new THREE.BufferAttribute(motion.triangles, 1));
    const surface = new THREE.Mesh(geometry, make());
    surface.material.vertexColors = true;
    surface.castShadow = surface.receiveShadow = true;
    const phyxels = shape.phyxels.length / 3;
    const ball = new THREE.SphereGeometry(kPhyxelShare * phyxelDistance(shape.phyxels), 12, 8);
    const balls = new THREE.InstancedMesh(ball, make(), phyxels);
    balls.castShadow = balls.receiveShadow = true;
    surface.frustumCulled = balls.frustumCulled = false;
    this.add(surface, balls);
    return { body, phyxels, motion, surface, balls, strains: new Float32Array(motion.count) };
  }

  /** There is something to choose between. */
  get any(): boolean {
    return this.parts.length > 0;
  }
  /** The balls of this body are not drawn. */
  stands(body: number): boolean {
    return this.look !== "balls" && this.parts.some((part) => part.body === body);
  }

  /** The body under a ray; null where there is none. */
  pick(ray: THREE.Raycaster, gone: (point: THREE.Vector3) => boolean): { body: number; point: THREE.Vector3; distance: number } | null {
    for (const { surface } of this.parts) surface.geometry.boundingSphere = null;
    const hit = ray.intersectObjects(this.children.filter(({ visible }) => visible), false).find(({ point }) => !gone(point));
    const part = hit && this.parts.find(({ surface, balls }) => surface === hit.object || balls === hit.object);
    return part ? { body: part.body, point: hit.point, distance: hit.distance } : null;
  }

  /** `hidden`: bodies that are not drawn at all. */
  show(frame: Frame, hidden: (body: number) => boolean): void {
    for (const part of this.parts) {
      const { firstFrame, lastFrame } = this.source.bodies[part.body];
      const there = frame.index >= firstFrame && frame.index <= lastFrame && !hidden(part.body);
      part.surface.visible = there && (this.look === "surface" || this.look === "strain");
      part.balls.visible = there && this.look === "phyxels";
      const places = this.phyxelsOf(part, frame, this.bodies.matrices[part.body]);
      if (part.surface.visible) this.moveSurface(part, places);
      if (part.balls.visible) moveBalls(part.balls, places);
    }
    this.paint();
  }

  /** Colours as they are now: by strain, or those of the bodies. */
  paint(): void {
    const drawn = this.parts.filter(({ surface }) => surface.visible);
    this.most = Number.NaN;
    if (this.look === "strain")
      this.most = drawn.reduce((most, { strains }) => strains.reduce((a, b) => Math.max(a, b), most), 0);
    for (const part of drawn) paintSurface(part, this.most, this.bodies.colourOf(part.body));
    for (const { balls, body } of this.parts) (balls.material as THREE.MeshStandardMaterial).color.copy(this.bodies.colourOf(body));
  }

  private phyxelsOf(part: SurfelBody, frame: Frame, world: THREE.Matrix4): Float64Array {
    const { firstPoint, pointCount, shape } = this.source.bodies[part.body];
    if (pointCount > 0) return frame.points.subarray(3 * firstPoint, 3 * (firstPoint + part.phyxels));
    const out = Float64Array.from((this.source.shapes[shape] as SurfelShape).phyxels);
    const point = new THREE.Vector3();
    for (let i = 0; i < out.length; i += 3) point.fromArray(out, i).applyMatrix4(world).toArray(out, i);
    return out;
  }

  private moveSurface({ motion, surface, strains }: SurfelBody, places: Float64Array): void {
    const [points, normals] = ["position", "normal"].map((name) => surface.geometry.getAttribute(name) as THREE.BufferAttribute);
    motion.move(places, points.array as Float32Array, normals.array as Float32Array, strains);
    points.needsUpdate = normals.needsUpdate = true;
  }

  /** Frees what the graphics card holds. */
  dispose(): void {
    for (const { surface, balls } of this.parts) {
      for (const mesh of [surface, balls]) {
        mesh.geometry.dispose();
        (mesh.material as THREE.Material).dispose();
      }
      balls.dispose();
    }
  }
}

function moveBalls(balls: THREE.InstancedMesh, places: Float64Array): void {
  const matrix = new THREE.Matrix4();
  for (let i = 0; 3 * i < places.length; ++i) {
    matrix.makeTranslation(places[3 * i], places[3 * i + 1], places[3 * i + 2]);
    balls.setMatrixAt(i, matrix);
  }
  balls.instanceMatrix.needsUpdate = true;
}

/** `most`: the strain of the last colour; NaN: all in the body's own. */
function paintSurface({ surface, strains }: SurfelBody, most: number, own: THREE.Color): void {
  const colors = surface.geometry.getAttribute("color") as THREE.BufferAttribute;
  const out = colors.array as Float32Array;
  strains.forEach((strain, s) => {
    const tone = Number.isNaN(most) ? own : colourAt(most > 0 ? strain / most : 0);
    tone.toArray(out, 3 * s);
  });
  colors.needsUpdate = true;
}
