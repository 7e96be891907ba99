// The drawing: a canvas with bodies, floor, lights and an orbit camera, against gravity. It draws what it is
// shown and tells what was clicked; it knows nothing of time or panels.
import * as THREE from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { FrameSource, Mark } from "../source/frame_source";
import { Backdrop } from "./backdrop";
import { Bodies } from "./bodies";
import { ContactMarks } from "./contacts";
import { Ghosts } from "./ghosts";
import { Outlines } from "./outlines";
import { Axes, Labels, Trails } from "./overlays";
import { Coloured, Quantity, coloursOf, quantityOf } from "./quantities";
import { Ties } from "./ties";
import type { Floor } from "./floor";
import { Ball, Covered, coveredBy, eyeToSee, fieldFor, rayAt, sceneBalls, stayingBalls, surround } from "./framing";
import { makeControls, orbitByKey, swing, turnUpright } from "./key_orbit";
import { layFloors } from "./lay_floors";
import { SoftBodies, SoftLook } from "./soft";
import { SurfelBodies, SurfelLook } from "./surfels";
import { Quality } from "./quality";
import { useFilm } from "./tone";
import { DrawingWatch } from "./undrawn";
import { Lights, currentLook, drawsInSoftware, makeEnvironment, makeRenderer, onLookChange } from "./look";

const kFieldOfView = 32; // degrees, vertical
const kPlaneFieldOfView = 1.5; // so narrow that parallels stay parallel, for scenes of the plane
const kShadowMapSize = 2048;
const kPlainShadowMapSize = 1024;
const kMostPixels = 2; // device pixels drawn per CSS pixel
const kClickReach = 4; // CSS pixels the pointer may wander in a click
const kRoom = 1.6; // around a body that is looked at alone, of its radius
const kOutgrown = 0.5; // of the scene's radius: beyond it the eye has to find another place
const kFewContacts = 200; // more are not shown until asked for

export class Stage {
  readonly camera = new THREE.PerspectiveCamera(kFieldOfView, 1, 0.01, 1000);
  bodies!: Bodies;
  soft!: SoftBodies;
  surfels!: SurfelBodies;
  readonly canvas: HTMLCanvasElement;
  onSelect: (body: number) => void = () => undefined;
  /** A picture was drawn: what lies over it may follow. */
  onDrawn: () => void = () => undefined;
  pointsShown = true;
  contactsAsked = false; // somebody has chosen whether contacts are shown
  forcesShown = false;

  private readonly source: FrameSource;
  private readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly controls: OrbitControls;
  private contacts!: ContactMarks;
  private readonly lights: Lights;
  private readonly plain: boolean;
  readonly quality: Quality;
  private floors: Floor[] = [];
  private balls: Ball[] = [];
  private whole: Ball = { center: new THREE.Vector3(), radius: 1 };
  private readonly turn = new THREE.Quaternion(); // of z to what is up here
  private selected = -1;
  private hiddenBody = -1;
  private readonly hiddenBodies = new Set<number>();
  private isolated: ReadonlySet<number> = new Set();
  private ties!: Ties;
  private outlines: Outlines | null = null;
  private ghosts!: Ghosts;
  private labels!: Labels;
  trails!: Trails;
  private readonly axes = new Axes();
  readonly backdrop = new Backdrop();
  private readonly holder: HTMLElement;
  private readonly watch: DrawingWatch;
  private covered: Covered = { top: 0, bottom: 0 };
  private quantity: Quantity = "own";
  /** What bodies are coloured by, for a legend. */
  onColoured: (coloured: Coloured | null) => void = () => undefined;
  private shown = 0; // index of the frame that is drawn
  private stale = true;
  private framed: readonly number[] = []; // the eye from which everything is seen, as `frameAll` left it

  constructor(source: FrameSource, holder: HTMLElement) {
    this.source = source;
    const plain = (this.plain = drawsInSoftware());
    this.lights = new Lights(plain ? kPlainShadowMapSize : kShadowMapSize, plain);
    this.renderer = makeRenderer(plain);
    const pixels = plain ? 1 : Math.min(devicePixelRatio, kMostPixels);
    this.renderer.setPixelRatio(pixels);
    this.quality = new Quality(this.renderer, this.lights, pixels, plain, (on) => this.drawCoarsely(on));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    useFilm(this.renderer);
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", source.live ? "The scene" : "Three-dimensional replay");
    this.holder = holder;
    holder.append(this.canvas, this.axes.box);
    this.watch = new DrawingWatch(this.canvas, holder, () => (this.stale = true));
    this.canvas.addEventListener("keydown", (event) => {
      if (orbitByKey(event, this.camera, this.controls)) this.stale = true;
    });
    if (!plain) this.scene.environment = makeEnvironment(this.renderer);
    this.scene.add(this.lights, this.backdrop);
    this.controls = makeControls(this.camera, this.canvas, () => (this.stale = true));
    new ResizeObserver(() => this.resize(holder)).observe(holder);
    this.resize(holder);
    this.load();
    this.frameAll();
    this.listenToPointer();
    onLookChange(() => this.applyLook());
    const draw = (now: number) => {
      requestAnimationFrame(draw);
      swing(this.controls);
      if (this.quality.due(now, this.stale)) this.draw();
    };
    draw(performance.now());
  }

  /** Takes bodies, shapes and ground from the source, which may have changed them; true where all there is now lies
   * elsewhere, or is much larger or smaller. */
  load(): boolean {
    const { source } = this;
    const before = this.whole;
    this.quality.reset();
    if (this.bodies) {
      this.bodies.dispose();
      this.outlines?.dispose();
      this.labels.box.remove();
      this.surfels.dispose();
      this.scene.remove(this.bodies, this.soft, this.surfels, this.contacts, this.ties, this.ghosts, this.trails, ...this.floors);
      if (this.outlines) this.scene.remove(this.outlines);
      this.hiddenBodies.clear();
      this.isolated = new Set();
    }
    const up = new THREE.Vector3(...source.about.up);
    this.turn.setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
    const last = source.frameCount - 1;
    this.balls = stayingBalls(source, last);
    this.whole = surround(this.balls);
    const everywhere = surround([...sceneBalls(source, [0]), ...this.balls]);
    const look = this.soft?.look;
    const surfelLook = this.surfels?.look;
    this.bodies = new Bodies(source, this.plain);
    this.soft = new SoftBodies(source);
    if (look) this.soft.look = look;
    this.surfels = new SurfelBodies(source, this.bodies, this.plain);
    if (surfelLook) this.surfels.look = surfelLook;
    this.ghosts = new Ghosts(source);
    this.ties = new Ties(source, this.whole.radius);
    this.outlines = source.about.plane ? new Outlines(source) : null;
    this.labels = new Labels(source);
    if (!this.trails?.fit()) {
      const trailed = this.trails?.visible ?? false;
      this.trails = new Trails(source);
      this.trails.visible = trailed;
    }
    this.holder.append(this.labels.box);
    this.bodies.hidden = (body) =>
      this.isHidden(body) ||
      this.ghosts.has(body) ||
      (!this.soft.spheresShown && this.soft.has(body)) ||
      this.surfels.stands(body);
    this.contacts = new ContactMarks(source, this.whole.radius);
    if (!this.contactsAsked) this.pointsShown = source.contacts(last).count <= kFewContacts;
    this.shown = Math.min(this.shown, last);
    this.scene.environmentRotation.setFromQuaternion(this.turn);
    this.lights.fit(everywhere.center, everywhere.radius, this.turn, !!source.about.plane);
    this.scene.add(this.bodies, this.soft, this.surfels, this.contacts, this.ties, this.ghosts, this.trails);
    if (this.outlines) this.scene.add(this.outlines);
    this.camera.up.copy(up);
    turnUpright(this.controls);
    // the narrower the field, the farther away one stands
    const far = source.about.plane ? kFieldOfView / kPlaneFieldOfView : 1;
    this.camera.fov = source.about.plane ? kPlaneFieldOfView : kFieldOfView;
    this.camera.near = (far > 1 && !source.about.camera ? 1 : 0.01) * this.whole.radius;
    this.camera.far = 120 * far * this.whole.radius;
    this.controls.minDistance = 0.02 * far * this.whole.radius;
    this.controls.maxDistance = 40 * far * this.whole.radius;
    this.floors = layFloors(source, this.balls, this.whole, up, this.turn);
    this.scene.add(...this.floors);
    this.applyLook();
    this.showContacts(this.pointsShown, this.forcesShown);
    const moved = before.center.distanceTo(this.whole.center) + Math.abs(before.radius - this.whole.radius);
    return moved > kOutgrown * Math.min(before.radius, this.whole.radius);
  }

  /** Half the length of all there is, m. */
  get sceneRadius(): number {
    return this.whole.radius;
  }
  /** A body that something else draws; -1: none. */
  hide(body: number): void {
    this.hiddenBody = body;
    this.show(this.shown);
  }
  /** Bodies that nobody wants to see. */
  isHidden(body: number): boolean {
    return (
      body === this.hiddenBody ||
      this.hiddenBodies.has(body) ||
      (this.isolates && !this.isolated.has(body))
    );
  }
  hideBody(body: number, hidden: boolean): void {
    if (hidden) this.hiddenBodies.add(body);
    else this.hiddenBodies.delete(body);
    this.show(this.shown);
  }
  /** Shows these alone; none: all bodies. */
  isolate(bodies: readonly number[]): void {
    this.isolated = new Set(bodies);
    this.show(this.shown);
  }
  get isolates(): boolean {
    return this.isolated.size > 0;
  }
  isIsolated(body: number): boolean {
    return this.isolated.has(body);
  }
  /** Index of the frame that is drawn. */
  get frameShown(): number {
    return this.shown;
  }
  isSeenThrough(body: number): boolean {
    return this.ghosts.has(body);
  }
  canSeeThrough(body: number): boolean {
    return this.ghosts.canBe(body);
  }
  seeThrough(body: number, on: boolean): void {
    this.ghosts.set(body, on);
    this.show(this.shown);
  }
  /** Everything as it was. */
  showAll(): void {
    this.hiddenBodies.clear();
    this.isolated = new Set();
    this.source.bodies.forEach((_, body) => this.ghosts.set(body, false));
    this.show(this.shown);
  }
  /** Takes away what lies beyond a plane: across x, y or z, at a share of the scene's length; null: nothing. */
  cut(axis: 0 | 1 | 2 | null, share: number): void {
    this.renderer.clippingPlanes = [];
    if (axis !== null) {
      const normal = new THREE.Vector3().setComponent(axis, -1);
      const at = this.whole.center.getComponent(axis) + (2 * share - 1) * this.whole.radius;
      this.renderer.clippingPlanes = [new THREE.Plane(normal, at)];
    }
    this.stale = true;
  }
  colourBy(quantity: Quantity): void {
    this.quantity = quantity;
    if (quantity === "own") {
      this.bodies.paint(null);
      this.onColoured(null);
      this.select(this.selected);
    }
    this.show(this.shown);
  }
  showLabels(on: boolean): void {
    this.labels.visible = on;
    this.stale = true;
  }
  showTrails(on: boolean): void {
    this.trails.visible = on;
    if (!on) this.trails.forget();
    this.show(this.shown);
  }
  /** "Joints" or "Springs"; empty where there are none. */
  get tieWord(): string {
    return this.ties.any ? this.ties.word : "";
  }
  showTies(on: boolean): void {
    this.ties.visible = on;
    this.show(this.shown);
  }
  /** The longest force arrow: newton and metres. */
  get forceScale(): { force: number; length: number } {
    return this.contacts.arrowScale;
  }
  private drawCoarsely(on: boolean): void {
    this.bodies?.coarse(on);
    for (const floor of this.floors) floor.takeShadows(!on);
  }
  /** Turns to a place of the world, from half as far. */
  showPlace(place: readonly [number, number, number]): void {
    this.focus(new THREE.Vector3(...place));
    this.controls.update();
  }
  /** Where the eye stands and looks; for links. */
  get eye(): number[] {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
  }
  standAt(eye: readonly number[]): void {
    this.camera.position.set(eye[0], eye[1], eye[2]);
    this.controls.target.set(eye[3], eye[4], eye[5]);
    this.controls.update();
    this.stale = true;
  }
  /** The drawing as a picture. */
  picture(): string {
    this.quality.full();
    this.draw();
    return this.canvas.toDataURL("image/png");
  }
  /** Places worth pointing at. */
  mark(marks: readonly Mark[]): void {
    this.contacts.placeMarks(marks);
    this.stale = true;
  }
  /** Something that others put into the scene has changed. */
  redraw(): void {
    this.stale = true;
  }
  /** What a pointer is over. */
  pickAt(event: MouseEvent): { body: number; point: THREE.Vector3 } | null {
    const ray = this.rayAt(event);
    const gone = (point: THREE.Vector3) => this.renderer.clippingPlanes.some((plane) => plane.distanceToPoint(point) < 0);
    const [one, other] = [this.bodies.pick(ray, gone), this.surfels.pick(ray, gone)];
    if (!one || !other) return one ?? other;
    if (this.bodies.isPane(one.body)) return other;
    const away = (hit: { point: THREE.Vector3 }) => hit.point.distanceTo(ray.ray.origin);
    return away(one) < away(other) ? one : other;
  }
  /** Looks at the middle of everything along a direction, from as far as before. */
  lookAlong(from: THREE.Vector3): void {
    const away = this.camera.position.distanceTo(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(from.normalize(), away);
    this.controls.update();
    this.stale = true;
  }

  /** Draws the frame of that index. */
  show(index: number): void {
    const frame = this.source.frame(index);
    this.shown = index;
    this.bodies.show(frame);
    this.soft.show(frame);
    this.surfels.show(frame, (body) => this.isHidden(body) || this.ghosts.has(body));
    const contacts = this.source.contacts(Math.floor(index));
    // of a run under way, as many as come: many hide what they lie on, until they are asked for
    if (this.source.live && !this.contactsAsked && this.pointsShown !== contacts.count <= kFewContacts)
      this.showContacts(!this.pointsShown, this.forcesShown);
    if (this.pointsShown || this.forcesShown) this.contacts.show(contacts);
    this.ties.show(this.bodies.matrices);
    this.ghosts.show(this.bodies.matrices);
    this.outlines?.show(this.bodies.matrices, (body) => this.isHidden(body) || this.ghosts.has(body));
    if (this.quantity !== "own") this.recolour(index);
    if (!Number.isNaN(this.surfels.most))
      this.onColoured({ values: new Float64Array(0), low: 0, high: this.surfels.most, unit: "norm of Green's", name: "strain" });
    if (this.trails.visible) {
      this.trails.show(this.selected, index);
      this.source.frame(index);
    }
    this.stale = true;
  }

  private recolour(index: number): void {
    const coloured = quantityOf(this.source, index, this.quantity);
    this.bodies.paint(coloursOf(this.source, coloured));
    this.bodies.highlight(this.selected, currentLook().accent);
    this.surfels.paint();
    this.onColoured(coloured);
  }

  /** Draws at once what otherwise waits for the next picture. */
  draw(): void {
    this.stale = false;
    this.bodies.prepare(this.scene);
    this.renderer.render(this.scene, this.camera);
    this.watch.lookAt(this.renderer.getContext());
    this.axes.turn(this.camera);
    this.labels.place(this.bodies.matrices, this.camera, this.canvas, (body) => this.isHidden(body));
    this.onDrawn();
  }

  select(body: number): void {
    this.selected = body;
    if (this.trails?.visible) this.trails.show(body, this.shown);
    this.bodies.highlight(body, currentLook().accent);
    this.surfels.paint();
    this.stale = true;
  }

  showContacts(points: boolean, forces: boolean): void {
    this.pointsShown = points;
    this.forcesShown = forces;
    this.contacts.showPoints(points);
    this.contacts.showForces(forces);
    if (points || forces) this.contacts.show(this.source.contacts(Math.floor(this.shown)));
    this.stale = true;
  }

  /** Draws soft bodies as balls, as connections, under a skin. */
  showSoft(look: SoftLook): void {
    this.soft.look = look;
    this.show(this.shown);
  }

  /** Draws surfel bodies by their surface, by strain, by balls, by phyxels. */
  showSurfels(look: SurfelLook): void {
    if (this.surfels.look === "strain" && this.quantity === "own") this.onColoured(null);
    this.surfels.look = look;
    this.show(this.shown);
  }

  /** Stands where everything is seen. */
  frameAll(): void {
    const { camera } = this.source.about;
    if (camera) {
      this.camera.fov = fieldFor(camera.fov, this.camera.aspect);
      this.camera.position.set(...camera.eye);
      this.controls.target.set(...camera.target);
    } else {
      this.controls.target.copy(this.whole.center);
      const from = this.source.about.plane ? new THREE.Vector3(0, 0, 1) : undefined;
      const share = 1 - (this.covered.top + this.covered.bottom) / Math.max(1, this.holder.clientHeight);
      this.camera.position.copy(
        eyeToSee(this.balls, this.whole.center, this.camera, this.turn, Math.max(0.3, share), from),
      );
    }
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.framed = this.eye;
    this.stale = true;
  }

  /** Turns to a point and halves the distance to it, where that is large. */
  focus(point: THREE.Vector3): void {
    const away = this.camera.position.clone().sub(this.controls.target);
    const nearest = 0.5 * this.whole.radius;
    if (away.length() > nearest) away.multiplyScalar(Math.max(0.5, nearest / away.length()));
    this.controls.target.copy(point);
    this.camera.position.copy(point).add(away);
    this.stale = true;
  }

  /** Stands where a ball of the world fills much of the picture, on the side from which one looks. */
  frameBall(center: THREE.Vector3, radius: number): void {
    const away = this.camera.position.clone().sub(this.controls.target).normalize();
    const distance = (kRoom * radius) / Math.sin(THREE.MathUtils.degToRad(this.camera.fov / 2));
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(away, Math.max(distance, this.controls.minDistance));
    this.controls.update();
    this.stale = true;
  }

  private applyLook(): void {
    const look = currentLook();
    this.ties.apply(this.source.about.plane ? look.ink : look.accent);
    this.outlines?.apply(look.ink);
    this.trails.apply(look.accent);
    this.lights.apply(look);
    this.contacts.apply(look);
    this.backdrop.apply(look.paper, look.paperDeep);
    for (const floor of this.floors) floor.apply(look);
    this.scene.environmentIntensity = look.light;
    this.select(this.selected);
  }

  private resize(holder: HTMLElement): void {
    const { clientWidth: width, clientHeight: height } = holder;
    if (width === 0 || height === 0) return;
    const unmoved = this.bodies && this.eye.every((x, k) => x === this.framed[k]);
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    const { top, bottom } = this.covered;
    this.camera.setViewOffset(width, height, 0, (bottom - top) / 2, width, height);
    this.camera.updateProjectionMatrix();
    if (unmoved) this.frameAll(); // a tablet that is turned still shows everything
    this.stale = true;
  }

  rayAt(event: MouseEvent): THREE.Raycaster {
    return rayAt(event, this.canvas, this.camera);
  }

  /** What lies over the drawing, at its top and at its bottom: everything is shown between them. */
  keepClearOf(above: HTMLElement, below: HTMLElement): void {
    const look = new ResizeObserver(() => {
      this.covered = coveredBy(this.holder.clientHeight, above, below);
      this.resize(this.holder);
    });
    for (const part of [this.holder, above, below]) look.observe(part);
  }

  private listenToPointer(): void {
    let down = { x: 0, y: 0 };
    this.canvas.addEventListener("pointerdown", (event) => {
      down = { x: event.clientX, y: event.clientY };
    });
    this.canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > kClickReach) return;
      this.onSelect(this.pickAt(event)?.body ?? -1);
    });
    this.canvas.addEventListener("dblclick", (event) => {
      const hit = this.pickAt(event);
      if (hit) this.focus(hit.point);
    });
  }
}
