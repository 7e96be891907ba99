// Endless ground: a plate that fades into the page, with a quiet grid, and the shadows on it.
import * as THREE from "three";
import type { Look } from "./look";

const kVertex = /* glsl */ `
  varying vec3 vBody;
  void main() {
    vBody = position;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const kFragment = /* glsl */ `
  uniform vec3 groundColor; // as they are shown: without a graphics card a power at every pixel is dear
  uniform vec3 gridColor;
  uniform float cell;
  uniform float reach;
  uniform vec2 middle;
  varying vec3 vBody;
  float lineAt(float size) {
    vec2 at = (vBody.xy + middle) / size;
    vec2 width = max(fwidth(at), vec2(1e-9));
    vec2 away = abs(fract(at - 0.5) - 0.5) / width;
    vec2 fade = clamp(0.35 / width - 1.0, 0.0, 1.0);
    vec2 ink = (1.0 - clamp(away, 0.0, 1.0)) * fade;
    return max(ink.x, ink.y);
  }
  void main() {
    float fade = 1.0 - smoothstep(0.25, 1.0, length(vBody.xy) / reach);
    float ink = 0.10 * lineAt(cell) + 0.17 * lineAt(5.0 * cell);
    gl_FragColor = vec4(mix(groundColor, gridColor, min(ink, 1.0)), fade);
  }`;

const kReach = 8; // scene radii
const kCellsPerRadius = 4;

/** The largest of 1, 2, 5 times a power of ten that does not exceed `length`. */
function roundLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const lead = length / power;
  return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

export class Floor extends THREE.Group {
  private readonly plate: THREE.Mesh<THREE.CircleGeometry, THREE.ShaderMaterial>;
  private readonly shade: THREE.Mesh<THREE.CircleGeometry, THREE.ShadowMaterial>;

  private isPaper = false;

  /** `middle`: where in the ground's own plane the scene stands. */
  constructor(sceneRadius: number, middle: THREE.Vector2, drawPlate: boolean) {
    super();
    const reach = kReach * sceneRadius;
    this.plate = new THREE.Mesh(
      new THREE.CircleGeometry(reach, 96),
      new THREE.ShaderMaterial({
        vertexShader: kVertex,
        fragmentShader: kFragment,
        transparent: true,
        uniforms: {
          groundColor: { value: new THREE.Color() },
          gridColor: { value: new THREE.Color() },
          cell: { value: roundLength(sceneRadius / kCellsPerRadius) },
          reach: { value: reach },
          middle: { value: middle },
        },
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
      }),
    );
    this.plate.visible = drawPlate;
    this.plate.renderOrder = -2;
    this.shade = new THREE.Mesh(
      new THREE.CircleGeometry(reach, 96),
      new THREE.ShadowMaterial({ depthWrite: false }),
    );
    this.shade.receiveShadow = true;
    this.shade.renderOrder = -1;
    const inner = new THREE.Group();
    inner.position.set(middle.x, middle.y, 0);
    inner.add(this.plate, this.shade);
    this.add(inner);
  }

  /** Over a plane of drawing there is a grid and no shadow. */
  asPaper(): void {
    this.plate.visible = this.isPaper = true;
    this.shade.visible = false;
  }

  /** Without shadows there is nothing to draw of them, though it would cost as much. */
  takeShadows(on: boolean): void {
    this.shade.visible = on && !this.isPaper;
  }

  apply(look: Look): void {
    const { uniforms } = this.plate.material;
    uniforms.groundColor.value.setHex(this.isPaper ? look.board : look.ground, THREE.LinearSRGBColorSpace);
    uniforms.gridColor.value.setHex(look.grid, THREE.LinearSRGBColorSpace);
    this.shade.material.opacity = look.shadow;
  }
}
