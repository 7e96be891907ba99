// Sharp edges of bodies as lines, so that machines look like drawings of machines.
import * as THREE from "three";
import type { FrameSource } from "../source/frame_source";
import { meshGeometry } from "./bodies";

const kCrease = 30; // degrees from which on an edge is drawn
const kMostBodies = 300;

export class Outlines extends THREE.Group {
  private readonly lines: { readonly body: number; readonly line: THREE.LineSegments }[] = [];
  private readonly ink = new THREE.LineBasicMaterial({ toneMapped: false, transparent: true, opacity: 0.7 });

  constructor(source: FrameSource) {
    super();
    if (source.bodies.length > kMostBodies) return;
    const edges = new Map<number, THREE.BufferGeometry>();
    source.bodies.forEach(({ shape: index, pointCount }, body) => {
      const shape = source.shapes[index];
      if (shape.kind !== "mesh" || pointCount > 0) return;
      if (!edges.has(index)) edges.set(index, new THREE.EdgesGeometry(meshGeometry(shape), kCrease));
      const line = new THREE.LineSegments(edges.get(index)!, this.ink);
      line.matrixAutoUpdate = false;
      line.frustumCulled = false;
      this.lines.push({ body, line });
      this.add(line);
    });
  }

  apply(color: number): void {
    this.ink.color.set(color);
  }

  show(matrices: readonly THREE.Matrix4[], hidden: (body: number) => boolean): void {
    for (const { body, line } of this.lines) {
      line.matrix.copy(matrices[body]);
      line.matrixWorldNeedsUpdate = true;
      line.visible = !hidden(body);
    }
  }

  dispose(): void {
    for (const { line } of this.lines) line.geometry.dispose();
    this.ink.dispose();
  }
}
