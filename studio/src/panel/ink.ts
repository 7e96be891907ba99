// How plots and charts are drawn: colours of the page's style sheet, quiet axes.

export function paint(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export const kAxis = {
  stroke: () => paint("--quiet"),
  grid: { stroke: () => paint("--rule"), width: 1 },
  ticks: { show: false },
  font: "11px system-ui, sans-serif",
};
