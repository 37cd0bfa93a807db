/** Characters that turn around the order of what follows them, until another one ends that. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;
/** Letters that are written from right to left. */
const LEFTWARD = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

/**
 * A text of others within a sentence of ours, whose order it may not change: without characters that turn around what follows,
 * and set apart where it is written from right to left. Alone in an element, such a text is shown as it is.
 */
export function quoted(text: string): string {
  const plain = text.replace(TURNS, "");
  return LEFTWARD.test(plain) ? `\u2068${plain}\u2069` : plain;
}
