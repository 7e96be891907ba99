// Contact points, the forces they carry, and marked places: whole where they are seen, faint where bodies hide them.
import * as THREE from "three";
import type { Contacts, FrameSource, Mark } from "../source/frame_source";
import type { Look } from "./look";

const kPointSize = 0.009; // scene radii
const kMarkSize = 0.03;
const kLongestArrow = 0.4;
const kArrowWidth = 0.007;
const kStrongForceQuantile = 0.95; // this force gets the longest arrow

/** Unit arrow along +z: shaft and head, of width 1 and length 1. */
function arrowGeometry(): THREE.BufferGeometry {
  const profile = [
    [0, 0],
    [1, 0],
    [1, 0.78],
    [2.6, 0.78],
    [0, 1],
  ].map(([x, y]) => new THREE.Vector2(x, y));
  return new THREE.LatheGeometry(profile, 16).rotateX(Math.PI / 2);
}

const kHidden = 0.3; // how much of a sign shows where a body hides it

function overlay(opacity: number): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({ toneMapped: false, transparent: true, opacity, depthWrite: false });
}

/** The same sign where something is in front of it. */
function behind(mesh: THREE.InstancedMesh): THREE.InstancedMesh {
  const material = (mesh.material as THREE.MeshBasicMaterial).clone();
  material.depthFunc = THREE.GreaterDepth;
  material.opacity *= kHidden;
  const out = new THREE.InstancedMesh(mesh.geometry, material, 0);
  out.instanceMatrix = mesh.instanceMatrix;
  out.frustumCulled = false;
  out.renderOrder = mesh.renderOrder;
  return out;
}

function instances(geometry: THREE.BufferGeometry, count: number, opacity: number) {
  const mesh = new THREE.InstancedMesh(geometry, overlay(opacity), Math.max(1, count));
  mesh.frustumCulled = false;
  mesh.count = 0;
  return mesh;
}

function mostContacts(source: FrameSource): number {
  let most = 0;
  for (let i = 0; i < source.frameCount; ++i) most = Math.max(most, source.contacts(i).count);
  return most;
}

/** A force such that few are stronger; 1 where there are none. */
export function strongForce(source: FrameSource): number {
  const { forces, count } = source.contacts(source.frameCount - 1);
  const sizes = Array.from({ length: count }, (_, k) =>
    Math.hypot(forces[3 * k], forces[3 * k + 1], forces[3 * k + 2]),
  ).sort((a, b) => a - b);
  return sizes[Math.floor(kStrongForceQuantile * (sizes.length - 1))] || 1;
}

const kFade = 0.99; // of the strong force, from one live frame to the next

export class ContactMarks extends THREE.Group {
  private points: THREE.InstancedMesh;
  private arrows: THREE.InstancedMesh;
  private marks: THREE.InstancedMesh;
  private readonly source: FrameSource;
  private readonly sceneRadius: number;
  private strong: number;
  private readonly shades = new Map<THREE.InstancedMesh, THREE.InstancedMesh>();

  constructor(source: FrameSource, sceneRadius: number) {
    super();
    this.source = source;
    this.sceneRadius = sceneRadius;
    this.strong = strongForce(source);
    const most = mostContacts(source);
    this.points = instances(new THREE.SphereGeometry(1, 12, 8), most, 0.95);
    this.arrows = instances(arrowGeometry(), most, 0.85);
    this.marks = instances(new THREE.SphereGeometry(1, 24, 16), source.about.marks.length, 0.55);
    this.points.renderOrder = 11;
    this.arrows.renderOrder = 10;
    this.marks.renderOrder = 12;
    for (const mesh of [this.points, this.arrows, this.marks]) {
      this.shades.set(mesh, behind(mesh));
      this.add(mesh, this.shades.get(mesh)!);
    }
    this.placeMarks(source.about.marks);
  }

  /** Room for so many; what was there is drawn anew by the next show(). */
  private grown(mesh: THREE.InstancedMesh, count: number): THREE.InstancedMesh {
    if (count <= mesh.instanceMatrix.count) return mesh;
    const larger = instances(mesh.geometry, 2 * count, 1);
    larger.material = mesh.material as THREE.MeshBasicMaterial;
    larger.renderOrder = mesh.renderOrder;
    larger.visible = mesh.visible;
    const shade = behind(larger);
    shade.material = this.shades.get(mesh)!.material;
    this.remove(mesh, this.shades.get(mesh)!);
    this.shades.delete(mesh);
    this.shades.set(larger, shade);
    shade.visible = larger.visible;
    this.add(larger, shade);
    mesh.dispose();
    return larger;
  }

  apply(look: Look): void {
    const paint = (mesh: THREE.InstancedMesh, color: number) => {
      for (const one of [mesh, this.shades.get(mesh)!])
        (one.material as THREE.MeshBasicMaterial).color.set(color);
    };
    paint(this.points, look.contact);
    paint(this.arrows, look.force);
    paint(this.marks, look.bad);
  }

  /** The force of the longest arrow, N, and its length, m: what a legend tells. */
  get arrowScale(): { force: number; length: number } {
    return { force: this.strong, length: kLongestArrow * this.sceneRadius };
  }

  showPoints(visible: boolean): void {
    this.points.visible = this.shades.get(this.points)!.visible = visible;
  }
  showForces(visible: boolean): void {
    this.arrows.visible = this.shades.get(this.arrows)!.visible = visible;
  }

  show(contacts: Contacts): void {
    this.points = this.grown(this.points, contacts.count);
    this.arrows = this.grown(this.arrows, contacts.count);
    if (this.source.live) this.strong = Math.max(kFade * this.strong, strongForce(this.source));
    const matrix = new THREE.Matrix4();
    const size = kPointSize * this.sceneRadius;
    const point = new THREE.Vector3();
    const force = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const up = new THREE.Vector3(0, 0, 1);
    for (let k = 0; k < contacts.count; ++k) {
      point.fromArray(contacts.points, 3 * k);
      force.fromArray(contacts.forces, 3 * k);
      this.points.setMatrixAt(k, matrix.makeScale(size, size, size).setPosition(point));
      const share = Math.min(1, force.length() / this.strong);
      const width = share > 0 ? kArrowWidth * this.sceneRadius : 0;
      if (share > 0) turn.setFromUnitVectors(up, force.normalize());
      const length = kLongestArrow * this.sceneRadius * share;
      matrix.compose(point, turn, force.set(width, width, length));
      this.arrows.setMatrixAt(k, matrix);
    }
    for (const mesh of [this.points, this.arrows]) {
      mesh.count = this.shades.get(mesh)!.count = contacts.count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  placeMarks(marks: readonly Mark[]): void {
    this.marks = this.grown(this.marks, marks.length);
    const matrix = new THREE.Matrix4();
    const size = kMarkSize * this.sceneRadius;
    marks.forEach((mark, k) =>
      this.marks.setMatrixAt(k, matrix.makeScale(size, size, size).setPosition(...mark.point)),
    );
    this.marks.count = this.shades.get(this.marks)!.count = marks.length;
    this.marks.instanceMatrix.needsUpdate = true;
  }
}
