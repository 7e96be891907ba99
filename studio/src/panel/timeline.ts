// The bar under the drawing: play, scrub, where we are, how fast, what is drawn.
import type { FrameSource } from "../source/frame_source";
import { SoftLook, kSoftLooks } from "../view/soft";
import { SurfelLook, kSurfelLooks } from "../view/surfels";
import type { Stage } from "../view/stage";
import { element, shortNumber } from "./dom";
import type { Player } from "./player";
import type { Legend } from "./view_tools";

const kPlayIcon = "M8 5.5v13l10.5-6.5z";
const kPauseIcon = "M7.5 5.5h3.2v13H7.5zM13.3 5.5h3.2v13h-3.2z";
const kSvg = "http://www.w3.org/2000/svg";
const kLeap = 10; // frames, with shift

export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(kSvg, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  const shape = document.createElementNS(kSvg, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

export function switchFor(label: string, on: boolean, change: (on: boolean) => void): HTMLElement {
  const box = element("input");
  box.type = "checkbox";
  box.checked = on;
  box.addEventListener("change", () => change(box.checked));
  return element("label", "switch", box, element("span", "", label));
}

function speedChoice(player: Player): HTMLElement {
  const choice = element("select", "speed");
  choice.setAttribute("aria-label", "Playback speed");
  for (const speed of player.speeds) {
    const option = element("option", "", `${speed}×`);
    option.value = String(speed);
    option.selected = speed === player.speed;
    choice.append(option);
  }
  choice.addEventListener("change", () => (player.speed = Number(choice.value)));
  return choice;
}

function loopSwitch(player: Player): HTMLElement {
  const out = switchFor("Loop", player.looping, (on) => (player.looping = on));
  out.classList.add("loop");
  return out;
}

/** By step, or so that the fastest body moves evenly. */
function paceChoice(player: Player): HTMLElement {
  return switchFor("Even speed", player.evenSpeed, (on) => (player.evenSpeed = on));
}

function lookChoice<Look extends string>(label: string, looks: readonly Look[], now: Look, take: (look: Look) => void): HTMLElement {
  const choice = element("select", "speed soft-look");
  choice.setAttribute("aria-label", label);
  for (const look of looks) {
    const option = element("option", "", look);
    option.value = look;
    option.selected = look === now;
    choice.append(option);
  }
  choice.addEventListener("change", () => take(choice.value as Look));
  return choice;
}

/** How soft bodies are drawn; nothing where there are none. */
export function softChoices(stage: Stage): HTMLElement[] {
  const out: HTMLElement[] = [];
  if (stage.soft.any)
    out.push(lookChoice<SoftLook>("How soft bodies are drawn", kSoftLooks, stage.soft.look, (look) => stage.showSoft(look)));
  if (stage.surfels.any)
    out.push(
      lookChoice<SurfelLook>("How surfel bodies are drawn", kSurfelLooks, stage.surfels.look, (look) => stage.showSurfels(look)),
    );
  return out;
}

export function timeline(source: FrameSource, player: Player, stage: Stage, legend: Legend): HTMLElement {
  const button = element("button", "play");
  button.type = "button";
  button.addEventListener("click", () => player.toggle());

  const scrub = element("input", "scrub");
  scrub.type = "range";
  scrub.min = "0";
  scrub.max = String(source.frameCount - 1);
  scrub.step = "1";
  scrub.setAttribute("aria-label", "Frame");
  scrub.addEventListener("input", () => {
    const wanted = scrub.valueAsNumber; // pausing tells all listeners, this bar among them
    player.pause();
    player.goTo(wanted);
  });

  const clock = element("output", "clock");
  const last = source.frameCount - 1;
  player.onChange((index) => {
    scrub.value = String(index);
    scrub.style.setProperty("--done", `${last > 0 ? (100 * index) / last : 100}%`);
    button.replaceChildren(icon(player.playing ? kPauseIcon : kPlayIcon));
    button.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    const when = source.hasTime
      ? `${source.timeOf(index).toFixed(3)} s`
      : `step ${source.stepOf(index)}`;
    clock.replaceChildren(
      element("b", "", when),
      element("span", "", `frame ${index + 1} of ${source.frameCount}`),
    );
  });

  const show = () => {
    stage.showContacts(stage.pointsShown, stage.forcesShown);
    legend.showSigns(stage);
  };
  legend.showSigns(stage);
  const contacts = switchFor("Contacts", stage.pointsShown, (on) => {
    stage.pointsShown = on;
    show();
  });
  const forces = switchFor("Forces", stage.forcesShown, (on) => {
    stage.forcesShown = on;
    show();
  });
  const all = element("button", "plain", "Frame all");
  all.type = "button";
  all.title = "Show everything (F)";
  all.addEventListener("click", () => stage.frameAll());

  const bar = element("div", "timeline");
  if (source.moves)
    bar.append(
      button,
      scrub,
      clock,
      source.hasTime ? speedChoice(player) : paceChoice(player),
      loopSwitch(player),
    );
  const switches = element("div", "switches", contacts, forces, all);
  switches.prepend(...softChoices(stage));
  bar.append(switches);
  return bar;
}

/** Space plays, arrows step, home and end leap, F frames all; `other` gets what is left. */
export function listenToKeys(player: Player, stage: Stage, other: (key: string) => boolean): void {
  window.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof HTMLSelectElement || target.matches("input[type=search], input[type=text]")) return;
    if (document.querySelector("dialog[open]")) return;
    // a slider of its own has its own arrows
    if (target.matches("input[type=range]:not(.scrub)")) return;
    // a dialog that was just shut may still hold the focus
    const shut = target.closest("dialog:not([open])") !== null;
    const onButton = !shut && target.closest("button, summary, input[type=checkbox]") !== null;
    const leap = event.shiftKey ? kLeap : 1;
    const step = (frames: number) => {
      player.pause();
      player.goTo(player.index + frames);
    };
    switch (event.key) {
      case " ":
        if (onButton) return;
        player.toggle();
        break;
      case "ArrowRight":
        step(leap);
        break;
      case "ArrowLeft":
        step(-leap);
        break;
      case "Home":
        step(-Number.MAX_SAFE_INTEGER);
        break;
      case "End":
        step(Number.MAX_SAFE_INTEGER);
        break;
      case "f":
      case "F":
        stage.frameAll();
        break;
      default:
        if (!other(event.key)) return;
    }
    event.preventDefault();
  });
}

/** The selected body's name and place, over the drawing. */
export function selectionCard(source: FrameSource, player: Player): {
  card: HTMLElement;
  select: (body: number) => void;
} {
  const card = element("div", "selection");
  let body = -1;
  const update = () => {
    card.hidden = body < 0;
    if (body < 0) return;
    const { positions } = source.frame(player.index);
    const { name, mass, fixed, role } = source.bodies[body];
    const place = [0, 1, 2].map((c) => shortNumber(positions[3 * body + c])).join(", ");
    const facts = [role, fixed ? "fixed" : mass > 0 ? `${shortNumber(mass)} kg` : ""];
    card.replaceChildren(
      element("b", "", name),
      element("span", "", facts.filter((fact) => fact).join(" · ")),
      element("span", "mono", `(${place}) m`),
    );
  };
  player.onChange(update);
  return {
    card,
    select: (index) => {
      body = index;
      update();
    },
  };
}
