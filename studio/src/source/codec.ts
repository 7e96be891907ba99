// Reads the arrays of a report page: base64, zlib, byte planes, second differences.
// docs/report.md describes the format.

export type ArrayType = "f64" | "f32" | "u32" | "i32";
export type TypedArray = Float64Array | Float32Array | Uint32Array | Int32Array;

const kWidth: Record<ArrayType, number> = { f64: 8, f32: 4, u32: 4, i32: 4 };

function bytesFromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Puts the bytes of each number together again: plane k holds byte k of every number. */
function gatherPlanes(planes: Uint8Array, width: number, count: number): ArrayBuffer {
  const out = new Uint8Array(width * count);
  for (let k = 0; k < width; ++k)
    for (let i = 0, from = k * count, to = k; i < count; ++i, ++from, to += width)
      out[to] = planes[from];
  return out.buffer;
}

export async function decodeArray(
  text: string,
  type: ArrayType,
  count: number,
): Promise<TypedArray> {
  const planes = await inflate(bytesFromBase64(text));
  if (planes.length !== kWidth[type] * count)
    throw new Error(`array holds ${planes.length} bytes, expected ${kWidth[type] * count}`);
  const buffer = gatherPlanes(planes, kWidth[type], count);
  switch (type) {
    case "f64":
      return new Float64Array(buffer);
    case "f32":
      return new Float32Array(buffer);
    case "u32":
      return new Uint32Array(buffer);
    case "i32":
      return new Int32Array(buffer);
  }
}

/**
 * Undoes zigzag and second differences in place. `tracks` runs of `length` numbers lie one after the
 * other; sums wrap at 32 bits, as those that made the differences did.
 */
export function integrateTracks(words: Int32Array, tracks: number, length: number): void {
  for (let t = 0; t < tracks; ++t) {
    let value = 0;
    let slope = 0;
    for (let f = 0, at = t * length; f < length; ++f, ++at) {
      const word = words[at];
      const difference = (word >>> 1) ^ -(word & 1);
      if (f === 0) {
        value = difference;
      } else {
        slope = (slope + difference) | 0;
        value = (value + slope) | 0;
      }
      words[at] = value;
    }
  }
}
