/** A seeded generator of numbers in [0, 1) (mulberry32), so that training is reproducible. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Shuffles in place (Fisher and Yates). */
export const shuffle = (items: Uint32Array, random: () => number): void => {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const kept = items[i] ?? 0;
    items[i] = items[j] ?? 0;
    items[j] = kept;
  }
};
