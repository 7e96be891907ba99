// Soft bodies of balls: their connections and their skin, beside the balls that `bodies` draws.
import * as THREE from "three";
import type { Frame, FrameSource } from "../source/frame_source";
import { skinOf } from "./skin";

/** How soft bodies are drawn. */
export type SoftLook = "spheres" | "connections" | "skin" | "skin and spheres";
export const kSoftLooks: readonly SoftLook[] = [
  "spheres",
  "connections",
  "skin",
  "skin and spheres",
];

interface SoftBody {
  readonly body: number;
  readonly radii: Float32Array;
  readonly links: Uint32Array; // two points each
  readonly lines: THREE.LineSegments;
  readonly skin: THREE.Mesh;
}

const kSkinOpacity = 0.45; // where the balls are seen through it

export class SoftBodies extends THREE.Group {
  look: SoftLook = "spheres";
  private readonly source: FrameSource;
  private readonly soft: SoftBody[] = [];

  constructor(source: FrameSource) {
    super();
    this.source = source;
    source.bodies.forEach((info, body) => {
      const shape = source.shapes[info.shape];
      if (shape.kind !== "spheres" || !shape.links || info.pointCount === 0) return;
      const [r, g, b] = source.materials[info.material].color;
      const color = new THREE.Color().setRGB(r, g, b);
      const lines = new THREE.LineSegments(
        new THREE.BufferGeometry(),
        new THREE.LineBasicMaterial({ toneMapped: false, color }),
      );
      lines.geometry.setAttribute(
        "position",
        new THREE.BufferAttribute(new Float32Array(3 * shape.links.length), 3),
      );
      const skin = new THREE.Mesh(
        new THREE.BufferGeometry(),
        new THREE.MeshStandardMaterial({ color, roughness: 0.5, side: THREE.DoubleSide }),
      );
      lines.frustumCulled = skin.frustumCulled = false;
      skin.castShadow = skin.receiveShadow = true;
      this.soft.push({ body, radii: shape.radii, links: shape.links, lines, skin });
      this.add(lines, skin);
    });
  }

  /** There is something to choose between. */
  get any(): boolean {
    return this.soft.length > 0;
  }
  /** Balls of soft bodies are drawn. */
  get spheresShown(): boolean {
    return this.look === "spheres" || this.look === "skin and spheres";
  }
  has(body: number): boolean {
    return this.soft.some((s) => s.body === body);
  }

  show(frame: Frame): void {
    for (const soft of this.soft) {
      const { firstPoint, pointCount, firstFrame, lastFrame } = this.source.bodies[soft.body];
      const there = frame.index >= firstFrame && frame.index <= lastFrame;
      const points = frame.points.subarray(3 * firstPoint, 3 * (firstPoint + pointCount));
      soft.lines.visible = there && this.look === "connections";
      soft.skin.visible = there && (this.look === "skin" || this.look === "skin and spheres");
      if (soft.lines.visible) this.moveLines(soft, points);
      if (soft.skin.visible) this.coverWithSkin(soft, points);
    }
  }

  private moveLines({ lines, links }: SoftBody, points: Float64Array): void {
    const positions = lines.geometry.getAttribute("position") as THREE.BufferAttribute;
    const out = positions.array as Float32Array;
    links.forEach((point, k) => out.set(points.subarray(3 * point, 3 * point + 3), 3 * k));
    positions.needsUpdate = true;
  }

  private coverWithSkin({ skin, radii }: SoftBody, points: Float64Array): void {
    const mesh = skinOf(points, radii);
    const through = this.look === "skin and spheres";
    const material = skin.material as THREE.MeshStandardMaterial;
    material.transparent = through;
    material.opacity = through ? kSkinOpacity : 1;
    material.depthWrite = !through;
    skin.geometry.dispose();
    skin.geometry = new THREE.BufferGeometry();
    skin.geometry.setAttribute("position", new THREE.BufferAttribute(mesh.points, 3));
    skin.geometry.setIndex(new THREE.BufferAttribute(mesh.triangles, 1));
    skin.geometry.computeVertexNormals();
  }
}
