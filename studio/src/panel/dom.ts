// Builds elements. Text always goes in as text: nothing in a recording is read as markup.

type Child = Node | string | null;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const out = document.createElement(tag);
  if (className) out.className = className;
  for (const child of children) if (child !== null) out.append(child);
  return out;
}

/** A titled part of the side panel that folds away. */
export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  const out = element("details", "section", element("summary", "", title), ...children);
  out.open = open;
  return out;
}

/** A text as a sentence: a capital at its beginning, a full stop at its end. */
export function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/** Four significant digits, in the form that reads best. */
export function shortNumber(x: number): string {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) {
    const [lead, power] = x.toExponential(2).split("e");
    return `${Number(lead)}e${Number(power)}`.replaceAll("-", "−");
  }
  return Number(x.toPrecision(4)).toString().replace("-", "−");
}
