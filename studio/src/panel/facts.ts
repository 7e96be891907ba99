// What was promised and what was measured; how the run was set up.
import type { About, FrameSource } from "../source/frame_source";
import { element, sentence, shortNumber } from "./dom";
import type { Player } from "./player";

const kMostRows = 200; // contacts listed at once

/** `show`: turns to the place that the verdict is about. */
export function verdict({ verdict: v }: About, show?: (place: readonly [number, number, number]) => void): HTMLElement {
  const rows = v.promises.map((p) =>
    element(
      "li",
      p.kept ? "kept" : "missed",
      element("span", "tick", p.kept ? "✓" : "✕"),
      element(
        "div",
        "",
        element("b", "", p.name),
        p.promised ? element("span", "", `promised: ${p.promised}`) : null,
        p.measured ? element("span", "measured", `measured: ${p.measured}`) : null,
        p.advice ? element("span", "advice", `Try: ${sentence(p.advice)}`) : null,
      ),
    ),
  );
  const out = element(
    "section",
    v.exitCode === 0 ? "verdict good" : "verdict bad",
    element("p", "status", v.status),
    element("h2", "", v.headline),
    v.detail ? element("p", "detail", sentence(v.detail)) : null,
  );
  if (v.judged && v.judged !== v.detail) {
    const judged = element("p", "detail judged", `The judge: ${sentence(v.judged)} `);
    const { place } = v;
    if (place && show) {
      const button = element("button", "show-me", "Show me");
      button.type = "button";
      button.addEventListener("click", () => show(place));
      judged.append(button);
    }
    out.append(judged);
  }
  out.append(element("ul", "promises", ...rows));
  if (v.exitCode !== 0)
    out.append(element("p", "note", "What each of these means and what to try: docs/what-now.md."));
  return out;
}

export function contactsTable(
  source: FrameSource,
  player: Player,
  select: (body: number) => void,
): { table: HTMLElement; title: (text: (count: number) => void) => void } {
  const body = element("tbody");
  const note = element("p", "note");
  let tell: (count: number) => void = () => undefined;
  let shown = -1;
  const holder = element("div", "contacts");
  player.onChange((index) => {
    const contacts = source.contacts(index);
    tell(contacts.count);
    if (contacts.frame === shown) return;
    // a run under way brings new ones thirty times a second: only for those who look
    if (source.live && holder.closest("details")?.open === false) return;
    shown = contacts.frame;
    // the tightest first
    const order = Array.from({ length: contacts.count }, (_, k) => k).sort(
      (a, b) => contacts.gaps[a] - contacts.gaps[b] || a - b,
    );
    const rows = order.slice(0, kMostRows).map((k) => {
      const name = (i: number) => {
        const button = element("button", "link", source.bodies[i]?.name ?? "–");
        button.type = "button";
        button.addEventListener("click", () => select(i));
        return element("td", "", button);
      };
      const force = Math.hypot(...contacts.forces.subarray(3 * k, 3 * k + 3));
      return element(
        "tr",
        contacts.gaps[k] < 0 ? "negative" : "",
        name(contacts.bodyA[k]),
        name(contacts.bodyB[k]),
        element("td", "number", shortNumber(contacts.gaps[k])),
        element("td", "number", shortNumber(force)),
      );
    });
    body.replaceChildren(...rows);
    const notes: string[] = [];
    if (contacts.count > kMostRows) notes.push(`The ${kMostRows} smallest gaps of ${contacts.count}.`);
    if (contacts.frame !== index && !source.live) notes.push(`As recorded at frame ${contacts.frame + 1}.`);
    note.textContent = notes.join(" ");
  });
  const head = ["Body", "Body", "Gap, m", "Force, N"].map((text, k) =>
    element("th", k > 1 ? "number" : "", text),
  );
  holder.append(
    element("table", "", element("thead", "", element("tr", "", ...head)), body),
    note,
  );
  return { table: holder, title: (listener) => (tell = listener) };
}

export function settingsTable({ settings }: About): HTMLElement {
  return element(
    "dl",
    "settings",
    ...settings.map((s) => {
      const unit = s.unit && s.unit !== "1" ? ` ${s.unit}` : "";
      const row = element(
        "div",
        s.changed ? "changed" : "",
        element("dt", "", s.name),
        element("dd", "mono", s.value + unit),
      );
      row.title = s.meaning;
      return row;
    }),
  );
}

// how the names of result.json read
const kFactWords: Readonly<Record<string, string>> = {
  "seconds.total": "time in all, CPU s",
  "seconds.solve": "solving, CPU s",
  "seconds.load": "loading, CPU s",
  "seconds.record": "recording, CPU s",
  "seconds.check": "judging, CPU s",
  "seconds.report": "drawing, CPU s",
  "penetration.final": "overlap at the end, at most, m",
  "penetration.final_relative": "the same, of the smaller body's size",
  "penetration.worst": "overlap on the way, at most, m",
  "penetration.worst_relative": "the same, of the smaller body's size",
  "penetration.source": "who says so of the end",
  "penetration.worst_source": "who says so of the way",
  "balance.force": "unbalanced force, of weight",
  "balance.torque": "unbalanced torque, of weight times size",
  "balance.source": "who says so of balance",
  "energy.start": "energy at the start, J",
  "energy.end": "energy at the end, J",
  "verdict.overlap": "no overlap",
  "verdict.balance": "balance",
  "verdict.why": "the judge's reason",
  why: "why it ended",
  state_hash: "hash of the last state",
  exit_code: "exit code",
};

const kOldNames = ["verdict.rest"];

/** "seconds.prove_way" as "prove way, CPU s". */
function inWords(name: string): string {
  const known = kFactWords[name];
  if (known) return known;
  const plain = name.replace(/^seconds\.(.*)$/, "$1, CPU s");
  return plain.replaceAll(/[._]/g, " ");
}

export function factsTable({ facts, version, note }: About): HTMLElement {
  return element(
    "div",
    "",
    element(
      "dl",
      "settings",
      ...facts.filter(([name]) => !kOldNames.includes(name)).map(([name, text]) =>
        element("div", "", element("dt", "", inWords(name)), element("dd", "mono", text)),
      ),
    ),
    element("p", "note", note ? `${note} ` : "", `Made by Repose ${version}.`),
  );
}

export function eventsList(source: FrameSource): HTMLElement {
  return element(
    "ol",
    "events",
    ...source.about.events.map((event) =>
      element("li", "", element("span", "mono", `step ${event.step}`), ` ${event.text}`),
    ),
  );
}
