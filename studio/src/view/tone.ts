// From light to what a screen shows, as the renderer does it at every pixel: three's neutral tone curve (Khronos PBR
// Neutral), then sRGB.
const kSteps = 4096;
const kStart = 0.8 - 0.04; // brighter light is pressed together,
const kFaded = 0.15; // and loses colour

const kBytes = Uint8Array.from({ length: kSteps + 1 }, (_, i) => {
  const x = i / kSteps;
  return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
});
const byteOf = (x: number): number => kBytes[Math.min(kSteps, Math.max(0, (kSteps * x + 0.5) | 0))];

/** Linear light, as it stands in the renderer's exposure of 1, to three bytes. */
export function shownBytes(r: number, g: number, b: number, out: Uint8Array, at: number): void {
  const least = Math.min(r, g, b);
  const offset = least < 0.08 ? least - 6.25 * least * least : 0.04;
  r -= offset;
  g -= offset;
  b -= offset;
  const peak = Math.max(r, g, b);
  if (peak >= kStart) {
    const d = 1 - kStart;
    const newPeak = 1 - (d * d) / (peak + d - kStart);
    const faded = 1 - 1 / (kFaded * (peak - newPeak) + 1);
    const scale = newPeak / peak;
    r *= scale;
    g *= scale;
    b *= scale;
    r += faded * (newPeak - r);
    g += faded * (newPeak - g);
    b += faded * (newPeak - b);
  }
  out[at] = byteOf(r);
  out[at + 1] = byteOf(g);
  out[at + 2] = byteOf(b);
}
