// The report page: opens the recording inside the page and lays out drawing and panels around it.
import "uplot/dist/uPlot.min.css";
import "./page.css";
import "./report.css";
import "./timeline.css";
import { element, section } from "./panel/dom";
import { measuredPart } from "./panel/charts";
import { contactsTable, eventsList, factsTable, settingsTable, verdict } from "./panel/facts";
import { BodiesPanel } from "./panel/bodies_panel";
import { keysDialog } from "./panel/keys";
import { Player } from "./panel/player";
import { plots } from "./panel/plots";
import { listenToKeys, selectionCard, timeline } from "./panel/timeline";
import { Legend, followLink, lookFrom, viewTools } from "./panel/view_tools";
import { watchForNewer } from "./panel/watch";
import { FileSource } from "./source/file_source";
import type { FrameSource } from "./source/frame_source";
import { Stage } from "./view/stage";
import { NoDrawing } from "./view/undrawn";

declare global {
  interface Window {
    /** For scripts that look into an open page. */
    repose?: { source: FrameSource; player: Player; stage: Stage };
  }
}

function panelOf(
  source: FrameSource,
  player: Player,
  stage: Stage,
  legend: Legend,
  bodies: BodiesPanel,
  select: (body: number) => void,
): HTMLElement {
  const { about } = source;
  const showMe = (place: readonly [number, number, number]) => {
    player.pause();
    player.goTo(source.frameCount - 1);
    stage.mark([...about.marks, { point: place, label: about.verdict.judged ?? "", bad: true }]);
    stage.showPlace(place);
  };
  const panel = element("aside", "panel", verdict(about, showMe));
  if (about.marks.length)
    panel.append(
      section(
        "Marked places",
        true,
        element("ol", "events", ...about.marks.map((mark) => element("li", "", mark.label))),
      ),
    );
  panel.append(section("View", false, viewTools(source, player, stage, legend)));
  const list = section("Bodies", false, bodies.panel);
  list.querySelector("summary")!.dataset.count = String(bodies.count);
  panel.append(list);
  if (source.series.length && source.sampleSteps.length > 2)
    panel.append(section("Plots", true, plots(source, player)));
  if (about.measured.length) panel.append(section("Measured at the end", true, measuredPart(about)));
  const contacts = contactsTable(source, player, select);
  const part = section("Contacts", false, contacts.table);
  contacts.title((count) => (part.querySelector("summary")!.dataset.count = String(count)));
  panel.append(part);
  if (about.events.length) panel.append(section("Events", false, eventsList(source)));
  if (about.settings.length) panel.append(section("Settings", false, settingsTable(about)));
  panel.append(section("About this run", false, factsTable(about)));
  return panel;
}

function titleOf({ about }: FrameSource): HTMLElement {
  return element(
    "header",
    "title",
    element("h1", "", about.title),
    about.about ? element("p", "sentence", about.about) : null,
    element("p", "", about.subtitle),
  );
}

async function start(): Promise<void> {
  const app = document.getElementById("repose-app")!;
  const source = await FileSource.open(document);
  const player = new Player(source);
  const view = element("div", "view");
  const layout = element("div", "report");
  app.replaceChildren(layout);
  layout.append(view);

  const stage = new Stage(source, view);
  const selection = selectionCard(source, player);
  const legend = new Legend();
  const keys = keysDialog();
  const select = (body: number) => {
    stage.select(body);
    selection.select(body);
    bodies.mark(body);
  };
  const bodies = new BodiesPanel(source, stage, select);
  stage.onSelect = select;
  const help = element("button", "round-help", "?");
  help.type = "button";
  help.title = "Keys and mouse (?)";
  help.addEventListener("click", () => keys.showModal());
  const [title, bar] = [titleOf(source), timeline(source, player, stage, legend)];
  view.append(title, help, selection.card, legend.box, bar);
  stage.keepClearOf(title, bar);
  // what stands above the bar, however many lines it takes
  new ResizeObserver(() => view.style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);
  layout.append(panelOf(source, player, stage, legend, bodies, select), keys);
  select(-1);
  player.onChange(() => stage.show(player.position));
  const others: Record<string, () => void> = {
    "?": () => keys.showModal(),
    "1": () => lookFrom(stage, source, "front"),
    "3": () => lookFrom(stage, source, "right"),
    "7": () => lookFrom(stage, source, "above"),
    h: () => bodies.showAll(),
    l: () => view.querySelector<HTMLInputElement>(".timeline .loop input")?.click(),
    Escape: () => select(-1),
  };
  listenToKeys(player, stage, (key) => {
    const act = others[key.length === 1 ? key.toLowerCase() : key];
    act?.();
    return act !== undefined;
  });
  player.goTo(source.frameCount - 1);
  followLink(player, stage);
  if (source.about.stamp) watchForNewer(source.about.stamp, player, stage);
  window.repose = { source, player, stage };
  document.documentElement.dataset.ready = "true";
}

start().catch((error: unknown) => {
  const why = error instanceof Error ? error.message : String(error);
  document
    .getElementById("repose-app")!
    .replaceChildren(element("p", "failed", error instanceof NoDrawing ? why : `This recording cannot be shown: ${why}.`));
  console.error(error);
});
