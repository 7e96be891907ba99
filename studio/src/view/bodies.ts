// All bodies, drawn as few meshes: one per shape and finish, copied to every body that has them.
import * as THREE from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { BodyInfo, DrawnShape, Frame, FrameSource, Material } from "../source/frame_source";
import { BallCopies } from "./ball_copies";
import { collapsed, isOneSheet } from "./collapse";
import { Copies, makeCopies } from "./copies";
import { QuickCopies } from "./quick_copies";
import { fairShare, isClosed, simplified } from "./simplify";

/** A copy that shows one body, or one sphere of a body. */
interface Slot {
  readonly copies: Copies;
  readonly copy: number;
  readonly body: number;
  readonly scale: number;
  readonly offset: THREE.Vector3 | null; // body frame; null: the body's origin
  readonly point: number; // soft bodies: place in Frame.points; -1: rigid
}

/** A body whose mesh points move one by one. */
interface SoftMesh {
  readonly mesh: THREE.Mesh;
  readonly body: number;
}

// fewer triangles per ball when there are many of them: [most balls, segments around]
const kBallDetail: readonly (readonly [number, number])[] = [
  [60, 56],
  [400, 32],
  [3000, 18],
  [20000, 12],
  [Number.POSITIVE_INFINITY, 8],
];
// bodies of one colour differ a little, so that the eye can tell them apart
const kShadeSpread = 0.1;
// meshes without normals: faces that meet at less than this are drawn as one smooth surface
const kCreaseAngle = 0.6; // radians
const kMostCreased = 150000; // triangles; larger meshes are drawn smooth throughout
// more instances than this cast no shadow
const kMostShadowCasters = 30000;
// without a graphics card a ball costs as much as so many, and fewer of them cast shadows
const kSoftwareBalls = 40;
const kMostSoftwareCasters = 300;
// triangles of all bodies together, with a graphics card and without
const kMostTriangles = 3e6;
const kMostSoftwareTriangles = 4e5;
// while they move without a graphics card
const kMostMovingTriangles = 3.6e4;
const kCollapsedFrom = 1000; // triangles of a shape, from which edges are drawn together one by one
const kFewCopies = 8; // shapes of fewer bodies are drawn whole

export function ballGeometry(balls: number): THREE.BufferGeometry {
  const [, around] = kBallDetail.find(([most]) => balls <= most)!;
  return new THREE.SphereGeometry(1, around, Math.max(6, around / 2));
}

export function meshGeometry(shape: Extract<DrawnShape, { kind: "mesh" }>): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(shape.points, 3));
  geometry.setIndex(new THREE.BufferAttribute(shape.triangles, 1));
  if (shape.normals) {
    geometry.setAttribute("normal", new THREE.BufferAttribute(shape.normals, 3));
    return geometry;
  }
  if (shape.triangles.length <= 3 * kMostCreased) return toCreasedNormals(geometry, kCreaseAngle);
  geometry.computeVertexNormals();
  return geometry;
}

/** For what is small on the screen. A grid that is fine enough to leave the shape in one piece comes first. */
function fewTriangles(shape: THREE.BufferGeometry, most: number): THREE.BufferGeometry {
  const all = (shape.index?.count ?? shape.getAttribute("position").count) / 3;
  let grid = Math.max(most, kCollapsedFrom);
  let start = simplified(shape, grid);
  while (grid < all && !isOneSheet(start)) start = simplified(shape, (grid *= 2));
  return collapsed(start, most);
}

type Finish = THREE.MeshStandardMaterial | THREE.MeshLambertMaterial;

/** Where a clear surface is seen along, it hides what is behind it and is dark, as the rims of glass are in stills. */
const kRim = `
  float along = 1.0 - abs(dot(normalize(normal), normalize(vViewPosition)));
  float rim = smoothstep(0.45, 1.0, along);
  outgoingLight *= mix(1.0, 0.35, rim);
  diffuseColor.a = mix(diffuseColor.a, max(diffuseColor.a, 0.75), rim * rim);
  #include <opaque_fragment>`;

function withDarkRim<Kind extends THREE.Material>(material: Kind): Kind {
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace("#include <opaque_fragment>", kRim);
  };
  return material;
}

/** `closed`: its inside is never seen. `plain`: without a graphics card, dull surfaces are drawn by a cheaper law. */
function finish(material: Material, closed: boolean, plain: boolean): Finish {
  const seeThrough = material.opacity < 1;
  const roughness = Math.max(0.08, material.roughness);
  const make = (look: THREE.MeshLambertMaterialParameters): Finish =>
    plain
      ? new THREE.MeshLambertMaterial(look)
      : new THREE.MeshStandardMaterial({ ...look, roughness, metalness: 0 });
  const made = make({
    opacity: material.opacity,
    transparent: seeThrough,
    depthWrite: !seeThrough,
    side: closed && !seeThrough ? THREE.FrontSide : THREE.DoubleSide,
  });
  return seeThrough ? withDarkRim(made) : made;
}

/** A number in [-1, 1] that differs from body to body and never changes. */
function shadeOf(body: number): number {
  const x = Math.sin(12.9898 * (body + 1)) * 43758.5453;
  return 2 * (x - Math.floor(x)) - 1;
}

export class Bodies extends THREE.Group {
  /** Where each body was last drawn; bodies out of their frames have zero scale. */
  readonly matrices: THREE.Matrix4[];

  private readonly source: FrameSource;
  private readonly merge: boolean;
  private readonly copies: Copies[] = [];
  private readonly slots: Slot[] = [];
  private readonly softMeshes: SoftMesh[] = [];
  /** Shapes of many bodies, as they are drawn still and while they move. */
  private readonly levels: { still: Copies; moving: Copies }[] = [];
  private shown: Frame | null = null;
  private readonly colors: THREE.Color[];
  /** Bodies that are not drawn here: something else shows them. */
  hidden: (body: number) => boolean = () => false;

  /** `merge`: draw copies as one mesh, for renderers that are slow at instancing. */
  constructor(source: FrameSource, merge: boolean) {
    super();
    this.source = source;
    this.merge = merge;
    this.matrices = source.bodies.map(() => new THREE.Matrix4());
    this.colors = source.bodies.map((body, i) => {
      const [r, g, b] = source.materials[body.material].color;
      const bright = 1 + (body.fixed ? 0 : kShadeSpread * shadeOf(i));
      return new THREE.Color().setRGB(r * bright, g * bright, b * bright);
    });
    this.build();
  }

  /** Draws the bodies where the frame has them. */
  show(frame: Frame): void {
    const position = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const scale = new THREE.Vector3();
    this.source.bodies.forEach((body, i) => {
      const present = frame.index >= body.firstFrame && frame.index <= body.lastFrame;
      this.matrices[i].compose(
        position.fromArray(frame.positions, 3 * i),
        turn.fromArray(frame.orientations, 4 * i),
        scale.setScalar(present ? 1 : 0),
      );
    });
    this.shown = frame;
    this.moveSlots(frame);
    for (const soft of this.softMeshes) this.moveSoftMesh(soft, frame);
  }

  /** Draws shapes of many bodies with few triangles, or in full. */
  coarse(on: boolean): void {
    if (this.levels.every(({ moving }) => moving.mesh.visible === on)) return;
    for (const { still, moving } of this.levels) {
      moving.mesh.visible = on;
      still.mesh.visible = !on;
    }
    if (this.shown) this.moveSlots(this.shown);
  }

  /** Before each picture of the scene. */
  prepare(scene: THREE.Object3D): void {
    for (const { moving } of this.levels)
      if (moving.mesh.visible && moving instanceof QuickCopies) moving.prepare(scene);
  }

  /** The body under a ray, with the point hit; null where there is none. `gone`: what is cut away. A body that moves is
   * met behind what stands and is seen through, as a ball in a glass. */
  pick(ray: THREE.Raycaster, gone: (point: THREE.Vector3) => boolean): { body: number; point: THREE.Vector3 } | null {
    const drawn = this.children.filter((child) => child.visible);
    let first: { body: number; point: THREE.Vector3 } | null = null;
    for (const hit of ray.intersectObjects(drawn, false)) {
      const body = gone(hit.point) ? -1 : this.bodyHit(hit);
      if (body < 0) continue;
      const met = { body, point: hit.point };
      if (!this.isPane(body)) return first && this.source.bodies[body].fixed ? first : met;
      first ??= met;
    }
    return first;
  }

  /** It stands, and one looks through it. */
  isPane(body: number): boolean {
    const { fixed, material } = this.source.bodies[body];
    return fixed && this.source.materials[material].opacity < 1;
  }

  private bodyHit(hit: THREE.Intersection): number {
    const slot = this.slots.find(({ copies, copy }) => copies.mesh === hit.object && copy === copies.copyHit(hit));
    return slot?.body ?? this.softMeshes.find(({ mesh }) => mesh === hit.object)?.body ?? -1;
  }

  /** Frees what the graphics card holds. */
  dispose(): void {
    for (const copies of this.copies) if (copies instanceof QuickCopies) copies.dispose();
    for (const { mesh } of [...this.copies, ...this.softMeshes]) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      if (mesh instanceof THREE.InstancedMesh) mesh.dispose();
    }
  }

  /** Colours instead of the bodies' own, where there are any; seen from the next highlight() on. */
  paint(colours: readonly (THREE.Color | null)[] | null): void {
    this.painted = colours;
  }
  private painted: readonly (THREE.Color | null)[] | null = null;
  private tinted = { body: -1, tint: new THREE.Color() };

  /** As it is drawn: painted, its own, tinted. */
  colourOf(body: number): THREE.Color {
    const out = new THREE.Color().copy(this.painted?.[body] ?? this.colors[body]);
    return body === this.tinted.body ? out.lerp(this.tinted.tint, 0.75) : out;
  }

  /** Tints one body; -1 tints none. */
  highlight(selected: number, accent: number): void {
    this.tinted = { body: selected, tint: new THREE.Color(accent) };
    for (const { copies, copy, body } of this.slots) copies.setColor(copy, this.colourOf(body));
    for (const { mesh, body } of this.softMeshes) (mesh.material as Finish).color.copy(this.colourOf(body));
    for (const copies of this.copies) copies.flush();
  }

  private build(): void {
    const { bodies, shapes, materials } = this.source;
    // gather what shares geometry and finish
    const groups = new Map<string, { shape: DrawnShape; material: Material; bodies: number[] }>();
    bodies.forEach((body, i) => {
      const shape = shapes[body.shape];
      const material = materials[body.material];
      if (shape.kind === "half_space") return;
      if (shape.kind === "mesh" && body.pointCount > 0) {
        this.addSoftMesh(shape, material, i);
        return;
      }
      const geometry = shape.kind === "mesh" ? `mesh ${body.shape}` : "ball";
      const key = `${geometry}|${material.opacity}|${material.roughness}`;
      if (!groups.has(key)) groups.set(key, { shape, material, bodies: [] });
      groups.get(key)!.bodies.push(i);
    });
    const meshes = [...groups.values()].flatMap(({ shape, bodies: all }) =>
      shape.kind === "mesh" ? [{ triangles: shape.triangles.length / 3, count: all.length }] : [],
    );
    const still = fairShare(meshes, this.merge ? kMostSoftwareTriangles : kMostTriangles);
    const moving = fairShare(meshes, kMostMovingTriangles);
    for (const group of groups.values()) {
      // a few large bodies are drawn whole: what costs is their number
      const triangles = group.shape.kind === "mesh" ? group.shape.triangles.length / 3 : 0;
      const many = group.bodies.length >= kFewCopies;
      const added = this.addGroup(group, many ? still : Number.POSITIVE_INFINITY);
      if (!many || !this.merge || triangles === 0 || group.material.opacity < 1) continue;
      const coarser = this.addGroup(group, moving, true);
      coarser.mesh.visible = false;
      this.levels.push({ still: added, moving: coarser });
    }
    this.highlight(-1, 0);
  }

  /** `quick`: as it is drawn while it moves without a graphics card. */
  private addGroup(group: { shape: DrawnShape; material: Material; bodies: number[] }, mostTriangles: number, quick = false): Copies {
    const places = group.bodies.flatMap((i) => this.placesOf(this.source.bodies[i], i));
    const few = (shape: THREE.BufferGeometry) => (quick ? fewTriangles(shape, mostTriangles) : simplified(shape, mostTriangles));
    const geometry =
      group.shape.kind === "mesh"
        ? few(meshGeometry(group.shape))
        : ballGeometry((this.merge ? kSoftwareBalls : 1) * places.length);
    const surface = () => finish(group.material, group.shape.kind !== "mesh", this.merge);
    const asSquares = this.merge && group.shape.kind !== "mesh" && places.length > kMostSoftwareCasters;
    const copies = quick
      ? new QuickCopies(geometry, isClosed(geometry), places.length)
      : asSquares
        ? new BallCopies(group.material.opacity, places.length)
        : makeCopies(geometry, surface(), places.length, this.merge);
    const casters = this.merge ? kMostSoftwareCasters : kMostShadowCasters;
    copies.mesh.castShadow = group.material.opacity > 0.5 && places.length <= casters;
    copies.mesh.receiveShadow = true;
    places.forEach((place, copy) => this.slots.push({ ...place, copies, copy }));
    this.copies.push(copies);
    this.add(copies.mesh);
    return copies;
  }

  private placesOf(body: BodyInfo, index: number): Omit<Slot, "copies" | "copy">[] {
    const shape = this.source.shapes[body.shape];
    if (shape.kind === "ball")
      return [{ body: index, scale: shape.radius, offset: null, point: -1 }];
    if (shape.kind !== "spheres" && shape.kind !== "surfels") return [{ body: index, scale: 1, offset: null, point: -1 }];
    const before = shape.kind === "surfels" ? shape.phyxels.length / 3 : 0;
    return Array.from(shape.radii, (radius, k) => ({
      body: index,
      scale: radius,
      offset: new THREE.Vector3().fromArray(shape.points, 3 * k),
      point: body.pointCount > 0 ? body.firstPoint + before + k : -1,
    }));
  }

  private addSoftMesh(
    shape: Extract<DrawnShape, { kind: "mesh" }>,
    material: Material,
    body: number,
  ): void {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(shape.points.slice(), 3));
    geometry.setIndex(new THREE.BufferAttribute(shape.triangles, 1));
    const mesh = new THREE.Mesh(geometry, finish(material, false, this.merge));
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    this.softMeshes.push({ mesh, body });
    this.add(mesh);
  }

  private moveSlots(frame: Frame): void {
    const matrix = new THREE.Matrix4();
    const point = new THREE.Vector3();
    for (const slot of this.slots) {
      if (!slot.copies.mesh.visible) continue;
      const world = this.matrices[slot.body];
      if (slot.point >= 0) {
        point.fromArray(frame.points, 3 * slot.point);
        matrix.makeScale(slot.scale, slot.scale, slot.scale).setPosition(point);
        const gone = world.elements[15] !== 1 || world.determinant() === 0;
        if (gone || this.hidden(slot.body)) matrix.scale(point.set(0, 0, 0));
      } else {
        matrix.copy(world);
        if (slot.offset) matrix.setPosition(point.copy(slot.offset).applyMatrix4(world));
        if (this.hidden(slot.body)) matrix.scale(point.set(0, 0, 0));
        if (slot.scale !== 1) matrix.scale(point.setScalar(slot.scale));
      }
      slot.copies.setMatrix(slot.copy, matrix);
    }
    for (const copies of this.copies) if (copies.mesh.visible) copies.flush();
  }

  private moveSoftMesh({ mesh, body }: SoftMesh, frame: Frame): void {
    const { firstPoint, pointCount, firstFrame, lastFrame } = this.source.bodies[body];
    mesh.visible = frame.index >= firstFrame && frame.index <= lastFrame;
    const positions = mesh.geometry.getAttribute("position") as THREE.BufferAttribute;
    (positions.array as Float32Array).set(
      frame.points.subarray(3 * firstPoint, 3 * (firstPoint + pointCount)),
    );
    positions.needsUpdate = true;
    mesh.geometry.computeVertexNormals();
    mesh.geometry.boundingSphere = null;
  }
}
