// Colours and light of the drawing, for dark and light pages alike.
import * as THREE from "three";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
import { NoDrawing } from "./undrawn";

export interface Look {
  readonly paper: number; // behind everything, where it is lightest and where it is darkest; as in page.css
  readonly paperDeep: number;
  readonly ground: number;
  readonly grid: number;
  readonly ink: number; // lines of drawings
  readonly accent: number;
  readonly contact: number;
  readonly force: number;
  readonly bad: number;
  readonly keyLight: number; // intensities
  readonly fillLight: number;
  readonly environment: number;
  readonly shadow: number; // darkness of a shadow on the bare floor
}

const kLight: Look = {
  paper: 0xf7f6f3,
  paperDeep: 0xebe9e4,
  ground: 0xe9e7e1,
  grid: 0x9a978f,
  ink: 0x1c1e21,
  accent: 0x1f6fd6,
  contact: 0xd8432f,
  force: 0xe0902a,
  bad: 0xd8242f,
  keyLight: 1.9,
  fillLight: 0.35,
  environment: 0.5,
  shadow: 0.22,
};

const kDark: Look = {
  paper: 0x1b1c1f,
  paperDeep: 0x121315,
  ground: 0x2a2b2f,
  grid: 0x74767c,
  ink: 0xf2f0ec,
  accent: 0x6fb1ff,
  contact: 0xff6b57,
  force: 0xffb454,
  bad: 0xff5a5f,
  keyLight: 1.8,
  fillLight: 0.2,
  environment: 0.42,
  shadow: 0.5,
};

const kSkyPerEnvironment = 2.4; // hemisphere light as bright as the surrounding it replaces
const kPrefersDark = "(prefers-color-scheme: dark)";

export function currentLook(): Look {
  return matchMedia(kPrefersDark).matches ? kDark : kLight;
}

export function onLookChange(listener: () => void): void {
  matchMedia(kPrefersDark).addEventListener("change", listener);
}

/** Without a graphics card every pixel costs: such machines get plainer light and edges. Throws where nothing can draw. */
export function drawsInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) throw new NoDrawing();
  const facts = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(facts ? facts.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

/** `plain`: without a graphics card edges stay rough, and the picture is laid over the page as it is, without asking at
 * every pixel what shines through. */
export function makeRenderer(plain: boolean): THREE.WebGLRenderer {
  if (!plain) return new THREE.WebGLRenderer({ antialias: true, alpha: true });
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", { alpha: false, antialias: false, stencil: false });
  return new THREE.WebGLRenderer(context ? { canvas, context } : { canvas, antialias: false });
}

/** A soft, studio-like surrounding for reflections. */
export function makeEnvironment(renderer: THREE.WebGLRenderer): THREE.Texture {
  const generator = new THREE.PMREMGenerator(renderer);
  const room = new RoomEnvironment();
  const texture = generator.fromScene(room, 0.04).texture;
  generator.dispose();
  return texture;
}

export class Lights extends THREE.Group {
  private readonly key = new THREE.DirectionalLight(0xfff6ea, 1);
  private readonly fill = new THREE.DirectionalLight(0xdfeaff, 1);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0xb8b2a8, 1);
  private readonly plain: boolean;

  /** `plain`: light from above stands in for the surrounding. */
  constructor(shadowMapSize: number, plain: boolean) {
    super();
    this.plain = plain;
    this.sky.position.set(0, 0, 1);
    this.sky.visible = plain;
    this.add(this.sky);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(shadowMapSize, shadowMapSize);
    this.key.shadow.radius = 5;
    this.key.shadow.intensity = 0.85;
    this.add(this.key, this.key.target, this.fill, this.fill.target);
  }

  castShadows(on: boolean): void {
    this.key.castShadow = on;
  }

  apply(look: Look): void {
    this.key.intensity = look.keyLight;
    this.fill.intensity = look.fillLight;
    this.sky.intensity = this.plain ? kSkyPerEnvironment * look.environment : 0;
  }

  /** Aims the lights at a ball, and fits the shadow map around it. */
  fit(center: THREE.Vector3, radius: number, turn: THREE.Quaternion): void {
    const reach = 1.15 * radius;
    this.key.target.position.copy(center);
    this.key.position.set(0.55, -0.75, 1.45).normalize().applyQuaternion(turn);
    this.key.position.multiplyScalar(4 * radius).add(center);
    this.fill.target.position.copy(center);
    this.fill.position.set(-1, 0.6, 0.4).normalize().applyQuaternion(turn);
    this.fill.position.multiplyScalar(4 * radius).add(center);
    const { camera } = this.key.shadow;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 2 * radius;
    camera.far = 7 * radius;
    camera.updateProjectionMatrix();
    this.key.shadow.bias = -0.0008;
    this.key.shadow.normalBias = 0.01 * radius;
  }
}
