// The paper behind everything, drawn into the picture itself: a picture without holes need not be laid over the page,
// which without a graphics card costs a third of what the browser takes for it.
import * as THREE from "three";

const kAcross = 12; // cells in each direction; colours between corners are blended

// light from above: the ellipse of page.css behind the drawing, in shares of the picture
const kMiddle = [0.5, 0.3] as const; // from the left, from the top
const kReach = [1.2, 0.9] as const;

const kVertex = `
attribute float away;
varying vec3 shown;
uniform vec3 near, far;
void main() {
  shown = mix(near, far, away);
  gl_Position = vec4(position.xy, 1.0, 1.0);
}`;
const kFragment = `
varying vec3 shown;
void main() {
  gl_FragColor = vec4(shown, 1.0);
}`;

function sheet(): THREE.BufferGeometry {
  const out = new THREE.PlaneGeometry(2, 2, kAcross, kAcross);
  const place = out.getAttribute("position");
  const away = Float32Array.from({ length: place.count }, (_, i) => {
    const [x, y] = [0.5 + 0.5 * place.getX(i), 0.5 - 0.5 * place.getY(i)];
    return Math.min(1, Math.hypot((x - kMiddle[0]) / kReach[0], (y - kMiddle[1]) / kReach[1]));
  });
  out.setAttribute("away", new THREE.BufferAttribute(away, 1));
  return out;
}

export class Backdrop extends THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial> {
  constructor() {
    super(
      sheet(),
      new THREE.ShaderMaterial({
        uniforms: { near: { value: new THREE.Color() }, far: { value: new THREE.Color() } },
        vertexShader: kVertex,
        fragmentShader: kFragment,
        depthWrite: false,
      }),
    );
    this.frustumCulled = false;
    this.renderOrder = 1; // after what hides it, before what is seen through
    this.raycast = () => undefined;
  }

  /** `near` where it is lightest; as they are shown. */
  apply(near: number, far: number): void {
    const { uniforms } = this.material;
    uniforms.near.value.setHex(near, THREE.LinearSRGBColorSpace);
    uniforms.far.value.setHex(far, THREE.LinearSRGBColorSpace);
  }
}
