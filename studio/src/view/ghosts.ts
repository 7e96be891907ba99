// Bodies that one sees through, drawn one by one.
import * as THREE from "three";
import type { FrameSource } from "../source/frame_source";
import { ballGeometry, meshGeometry } from "./bodies";

const kOpacity = 0.18;

export class Ghosts extends THREE.Group {
  private readonly ghosts = new Map<number, THREE.Mesh>();

  constructor(private readonly source: FrameSource) {
    super();
  }

  has(body: number): boolean {
    return this.ghosts.has(body);
  }

  /** Only rigid bodies of one mesh or ball. */
  canBe(body: number): boolean {
    const info = this.source.bodies[body];
    const { kind } = this.source.shapes[info.shape];
    return info.pointCount === 0 && (kind === "mesh" || kind === "ball");
  }

  set(body: number, on: boolean): void {
    const old = this.ghosts.get(body);
    if (!on && old) {
      this.remove(old);
      old.geometry.dispose();
      this.ghosts.delete(body);
    }
    if (!on || old || !this.canBe(body)) return;
    const info = this.source.bodies[body];
    const shape = this.source.shapes[info.shape];
    const geometry = shape.kind === "mesh" ? meshGeometry(shape) : ballGeometry(1).scale(...scaleOf(shape));
    const [r, g, b] = this.source.materials[info.material].color;
    const mesh = new THREE.Mesh(
      geometry,
      new THREE.MeshLambertMaterial({
        color: new THREE.Color().setRGB(r, g, b),
        transparent: true,
        opacity: kOpacity,
        depthWrite: false,
        side: THREE.DoubleSide,
      }),
    );
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    this.ghosts.set(body, mesh);
    this.add(mesh);
  }

  show(matrices: readonly THREE.Matrix4[]): void {
    for (const [body, mesh] of this.ghosts) {
      mesh.matrix.copy(matrices[body]);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }
}

function scaleOf(shape: { kind: string; radius?: number }): [number, number, number] {
  const radius = shape.radius ?? 1;
  return [radius, radius, radius];
}
