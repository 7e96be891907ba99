// The report page: opens the recording inside the page and lays out drawing and panels around it.
import "uplot/dist/uPlot.min.css";
import "./page.css";
import "./report.css";
import { element, section } from "./panel/dom";
import { measuredPart } from "./panel/charts";
import { contactsTable, eventsList, factsTable, settingsTable, verdict } from "./panel/facts";
import { Player } from "./panel/player";
import { plots } from "./panel/plots";
import { listenToKeys, selectionCard, timeline } from "./panel/timeline";
import { FileSource } from "./source/file_source";
import type { FrameSource } from "./source/frame_source";
import { Stage } from "./view/stage";

declare global {
  interface Window {
    /** For scripts that look into an open page. */
    repose?: { source: FrameSource; player: Player; stage: Stage };
  }
}

function panelOf(source: FrameSource, player: Player, select: (body: number) => void): HTMLElement {
  const { about } = source;
  const panel = element("aside", "panel", verdict(about));
  if (about.marks.length)
    panel.append(
      section(
        "Marked places",
        true,
        element("ol", "events", ...about.marks.map((mark) => element("li", "", mark.label))),
      ),
    );
  if (source.series.length) panel.append(section("Plots", true, plots(source, player)));
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
  const select = (body: number) => {
    stage.select(body);
    selection.select(body);
  };
  stage.onSelect = select;
  view.append(
    element(
      "header",
      "title",
      element("h1", "", source.about.title),
      element("p", "", source.about.subtitle),
    ),
    selection.card,
    timeline(source, player, stage),
  );
  layout.append(panelOf(source, player, select));
  select(-1);
  player.onChange(() => stage.show(player.position));
  listenToKeys(player, stage);
  player.goTo(source.frameCount - 1);
  window.repose = { source, player, stage };
  document.documentElement.dataset.ready = "true";
}

start().catch((error: unknown) => {
  const why = error instanceof Error ? error.message : String(error);
  document
    .getElementById("repose-app")!
    .replaceChildren(element("p", "failed", `This recording cannot be shown: ${why}.`));
  console.error(error);
});
