// What was promised and what was measured; how the run was set up.
import type { About, FrameSource } from "../source/frame_source";
import { element, shortNumber } from "./dom";
import type { Player } from "./player";

const kMostRows = 200; // contacts listed at once

export function verdict({ verdict: v }: About): HTMLElement {
  const rows = v.promises.map((p) =>
    element(
      "li",
      p.kept ? "kept" : "missed",
      element("span", "tick", p.kept ? "✓" : "✕"),
      element(
        "div",
        "",
        element("b", "", p.name),
        p.promised ? element("span", "", `promised ${p.promised}`) : null,
        p.measured ? element("span", "measured", `measured ${p.measured}`) : null,
      ),
    ),
  );
  return element(
    "section",
    v.exitCode === 0 ? "verdict good" : "verdict bad",
    element("p", "status", v.status),
    element("h2", "", v.headline),
    v.detail ? element("p", "detail", v.detail) : null,
    element("ul", "promises", ...rows),
  );
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

export function factsTable({ facts, version, note }: About): HTMLElement {
  return element(
    "div",
    "",
    element(
      "dl",
      "settings",
      ...facts.map(([name, text]) =>
        element("div", "", element("dt", "", name), element("dd", "mono", text)),
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
