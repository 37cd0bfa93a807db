/** Encodes ascending numbers as their differences, seven bits per byte. */
export const encodeGaps = (ascending: Uint32Array): Buffer => {
  const bytes: number[] = [];
  let previous = 0;
  for (const value of ascending) {
    let gap = value - previous;
    for (; gap > 0x7f; gap >>>= 7) bytes.push((gap & 0x7f) | 0x80);
    bytes.push(gap);
    previous = value;
  }
  return Buffer.from(bytes);
};

/** Decodes `count` numbers written by `encodeGaps`. */
export const decodeGaps = (bytes: Buffer, count: number): Uint32Array => {
  const values = new Uint32Array(count);
  let at = 0;
  let previous = 0;
  for (let i = 0; i < count; i++) {
    let gap = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      gap |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    previous += gap;
    values[i] = previous;
  }
  return values;
};
