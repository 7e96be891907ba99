// What keys do in the studio.
import * as THREE from "three";
import type { SocketSource } from "../source/socket_source";
import type { PlaceTool } from "../touch/place";
import type { PullTool } from "../touch/pull";
import type { TieTool } from "../touch/tie";
import { reachOf } from "../view/ghost_body";
import type { Stage } from "../view/stage";
import type { BodyList } from "./body_list";
import { nudgeOf } from "./body_tools";
import type { Actions } from "./toolbar";
import { lookBack, lookFrom } from "./view_tools";

export interface UnderHands {
  readonly source: SocketSource;
  readonly stage: Stage;
  readonly pull: PullTool;
  readonly place: PlaceTool;
  readonly tie: TieTool;
  readonly bodies: BodyList;
  readonly selected: number;
  actions(): Actions;
  act(what: string, more?: Record<string, unknown>): Promise<boolean>;
  select(body: number): void;
}

export function listenToHandKeys(studio: UnderHands): void {
  window.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (target.matches("input:not([type=checkbox]), select, [contenteditable=true]")) return;
    if (document.querySelector("dialog[open]")) return;
    const actions = studio.actions();
    const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const command = event.ctrlKey || event.metaKey;
    if (command && letter === "z") event.shiftKey ? actions.redo() : actions.undo();
    else if (command && letter === "y") actions.redo();
    else if (command && letter === "d" && studio.source.bodies[studio.selected]) studio.bodies.copy();
    else if (event.shiftKey && letter.startsWith("Arrow") && nudge(studio, letter)) {
      // done
    } else if (command || event.altKey || !plainKey(studio, letter, target)) return;
    event.preventDefault();
  });
}

/** Moves the selected body a little along the picture; false where none is selected that can be. */
function nudge(studio: UnderHands, key: string): boolean {
  const { source, stage, selected } = studio;
  const info = source.bodies[selected];
  if (!info || info.fixed || source.head.touch !== "hold") return false;
  const sideways = key === "ArrowLeft" || key === "ArrowRight";
  const away = new THREE.Vector3().setFromMatrixColumn(stage.camera.matrixWorld, sideways ? 0 : 1);
  // along the axis of the world that is nearest to it
  const axis = [0, 1, 2].reduce((best, c) => (Math.abs(away.getComponent(c)) > Math.abs(away.getComponent(best)) ? c : best), 0);
  const sign = Math.sign(away.getComponent(axis)) * (key === "ArrowLeft" || key === "ArrowDown" ? -1 : 1);
  const move = [0, 0, 0];
  move[axis] = sign * nudgeOf(source, selected);
  void studio.act("edit", { kind: "nudge", target: info.name, values: { move } });
  return true;
}

/** Goes near the selected body, or where everything is seen. */
function frameSelected({ source, stage, selected: body }: UnderHands): void {
  const info = source.bodies[body];
  if (!info) {
    stage.frameAll();
    return;
  }
  const middle = new THREE.Vector3(...source.centers[body]!).applyMatrix4(stage.bodies.matrices[body]!);
  if (info.pointCount) {
    middle.set(0, 0, 0);
    const { points } = source.frame(0);
    const point = new THREE.Vector3();
    for (let p = info.firstPoint; p < info.firstPoint + info.pointCount; ++p)
      middle.addScaledVector(point.fromArray(points, 3 * p), 1 / info.pointCount);
  }
  stage.frameBall(middle, reachOf(source, body));
}

/** Leaves the innermost thing that is under way. */
function escape(studio: UnderHands): void {
  if (studio.tie.picking) studio.tie.end();
  else if (studio.place.holding >= 0) studio.place.end();
  else studio.select(-1);
  studio.pull.letGo();
}

/** False where the key means nothing here. */
function plainKey(studio: UnderHands, key: string, target: HTMLElement): boolean {
  const { source, stage, place } = studio;
  const actions = studio.actions();
  const info = source.bodies[studio.selected];
  const take = (mode: "translate" | "rotate") => {
    if (place.holding < 0 && info) place.start(studio.selected);
    place.mode(mode);
  };
  const plain: Readonly<Record<string, () => void>> = {
    ArrowRight: () => actions.step(),
    ArrowLeft: () => void studio.act("undo", { one: true }),
    Delete: () => info && void studio.act("edit", { kind: "remove", target: info.name }),
    Escape: () => escape(studio),
    Home: () => stage.frameAll(),
    g: () => take("translate"),
    r: () => take("rotate"),
    "1": () => lookFrom(stage, source, "front"),
    "3": () => lookFrom(stage, source, "right"),
    "7": () => lookFrom(stage, source, "above"),
    "9": () => lookBack(stage),
    ".": () => frameSelected(studio),
    f: () => stage.frameAll(),
    h: () => stage.showAll(),
    c: () => actions.check(),
    o: () => actions.gallery(),
    "?": () => actions.help(),
  };
  if (key === " ") {
    if (target.closest("button, summary, input") && !target.closest("dialog:not([open])")) return false;
    actions.toggle();
    return true;
  }
  if (key === "Enter") {
    if (place.holding < 0 || target.closest("button, summary")) return false;
    place.letGo();
    return true;
  }
  plain[key]?.();
  return plain[key] !== undefined;
}
