// Colours and light of the drawing, for dark and light pages alike.
import * as THREE from "three";
import { NoDrawing } from "./undrawn";

export interface Look {
  readonly paper: number; // behind everything, where it is lightest and where it is darkest; as in page.css
  readonly paperDeep: number;
  readonly ground: number;
  readonly board: number; // behind machines of the plane
  readonly grid: number;
  readonly ink: number; // lines of drawings
  readonly accent: number;
  readonly contact: number;
  readonly force: number;
  readonly bad: number;
  readonly light: number; // of all lamps and the sky, as a share of the stills'
  readonly shadow: number; // darkness of a shadow on the bare floor
}

const kLight: Look = {
  paper: 0xe3e4e4,
  paperDeep: 0xc4c8cd,
  ground: 0xdddedf,
  board: 0xebebeb,
  grid: 0x8f949b,
  ink: 0x1c1e21,
  accent: 0x1f6fd6,
  contact: 0xd8432f,
  force: 0xe0902a,
  bad: 0xd8242f,
  light: 1,
  shadow: 0.3,
};

const kDark: Look = {
  paper: 0x1b1c1f,
  paperDeep: 0x121315,
  ground: 0x2a2b2f,
  board: 0x2a2b2f,
  grid: 0x74767c,
  ink: 0xf2f0ec,
  accent: 0x6fb1ff,
  contact: 0xff6b57,
  force: 0xffb454,
  bad: 0xff5a5f,
  light: 0.85,
  shadow: 0.5,
};

/** The studio of the stills (repose/render/picture.h): linear light on a white surface, ways in radians from the eye. */
const kKey = { light: [1.16, 1.08, 0.98], azimuth: -0.95, elevation: 0.92 } as const;
const kRim = { light: [0.24, 0.28, 0.34], azimuth: 2.5, elevation: 0.75 } as const;
const kSky = [0.31, 0.335, 0.37] as const;
const kFloorReflects = 0.42;
const kHorizon = 0.72; // brightness of the sky there and overhead, of its mean
const kZenith = 1.28;
const kBoxLight = 2.6; // soft box about the main lamp, seen by polished surfaces alone
const kBoxReach = 0.84; // cosine
const kEyeAzimuth = -0.96; // from where one looks at first, about what is up

type Rgb = readonly [number, number, number];

function lampWay({ azimuth, elevation }: { azimuth: number; elevation: number }, plane: boolean): THREE.Vector3 {
  const c = Math.cos(elevation);
  // on paper the lamp stands beyond the upper edge of the drawing
  if (plane) return new THREE.Vector3(c * Math.sin(azimuth), c * Math.cos(azimuth), Math.sin(elevation));
  const at = kEyeAzimuth + azimuth;
  return new THREE.Vector3(c * Math.cos(at), c * Math.sin(at), Math.sin(elevation));
}

/** What an unshadowed floor sends back. */
function floorLight(): Rgb {
  const part = (k: number) =>
    kFloorReflects * (kKey.light[k] * Math.sin(kKey.elevation) + kRim.light[k] * Math.sin(kRim.elevation) + kSky[k]);
  return [part(0), part(1), part(2)];
}
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

/** The surrounding that is reflected: sky, floor and the soft box about the main lamp. z is up. */
export function makeEnvironment(renderer: THREE.WebGLRenderer): THREE.Texture {
  const generator = new THREE.PMREMGenerator(renderer);
  const dome = new THREE.SphereGeometry(10, 64, 32).rotateX(Math.PI / 2);
  const places = dome.getAttribute("position");
  const lamp = lampWay(kKey, false);
  const floor = floorLight();
  const colors = new Float32Array(3 * places.count);
  const way = new THREE.Vector3();
  for (let i = 0; i < places.count; ++i) {
    way.fromBufferAttribute(places, i).normalize();
    const box = way.dot(lamp) > kBoxReach ? kBoxLight : 0;
    for (let k = 0; k < 3; ++k)
      colors[3 * i + k] = way.z < 0 ? floor[k] : kSky[k] * (kHorizon + (kZenith - kHorizon) * way.z) + box;
  }
  dome.setAttribute("color", new THREE.BufferAttribute(colors, 3));
  const room = new THREE.Scene();
  const paint = new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.BackSide, toneMapped: false });
  room.add(new THREE.Mesh(dome, paint));
  const texture = generator.fromScene(room, 0.04).texture;
  generator.dispose();
  return texture;
}

/** The two lamps and the sky of the stills. */
export class Lights extends THREE.Group {
  private readonly key = new THREE.DirectionalLight(new THREE.Color(...kKey.light), 1);
  private readonly rim = new THREE.DirectionalLight(new THREE.Color(...kRim.light), 1);
  private readonly sky = new THREE.HemisphereLight(new THREE.Color(...kSky), new THREE.Color(...floorLight()), 1);
  private readonly plain: boolean;

  /** `plain`: light from above stands in for the surrounding. */
  constructor(shadowMapSize: number, plain: boolean) {
    super();
    this.plain = plain;
    this.sky.visible = plain;
    this.add(this.sky);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(shadowMapSize, shadowMapSize);
    this.key.shadow.radius = 5;
    this.key.shadow.intensity = 0.85;
    this.add(this.key, this.key.target, this.rim, this.rim.target);
  }

  castShadows(on: boolean): void {
    this.key.castShadow = on;
  }

  apply(look: Look): void {
    // three sends back 1/pi of what it receives
    this.key.intensity = this.rim.intensity = Math.PI * look.light;
    this.sky.intensity = this.plain ? Math.PI * look.light : 0;
  }

  /** Aims the lights at a ball, and fits the shadow map around it. `turn` is that of z to what is up; `plane`: the
   * scene is a drawing on paper, x to the right and y up. */
  fit(center: THREE.Vector3, radius: number, turn: THREE.Quaternion, plane: boolean): void {
    const reach = 1.15 * radius;
    const place = (light: THREE.DirectionalLight, way: THREE.Vector3) => {
      if (!plane) way.applyQuaternion(turn);
      light.target.position.copy(center);
      light.position.copy(center).addScaledVector(way, 4 * radius);
    };
    place(this.key, lampWay(kKey, plane));
    place(this.rim, lampWay(kRim, plane));
    this.sky.position.set(0, 0, 1);
    if (!plane) this.sky.position.applyQuaternion(turn);
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
