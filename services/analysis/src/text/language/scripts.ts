import { classOf, LETTER } from "./letters.js";

/** Scripts that no language of the model uses, each with its most common language: first and last code unit. */
const SCRIPTS: readonly (readonly [number, number, string])[] = [
  [0x0780, 0x07bf, "dv"],
  [0x0b00, 0x0b7f, "or"],
  [0x0c80, 0x0cff, "kn"],
  [0x0d00, 0x0d7f, "ml"],
  [0x0d80, 0x0dff, "si"],
  [0x0e80, 0x0eff, "lo"],
  [0x0f00, 0x0fff, "bo"],
  [0x1000, 0x109f, "my"],
  [0x1200, 0x137f, "am"],
  [0x1780, 0x17ff, "km"],
];

/** A language and its script's share of the text's letters. */
export interface ScriptShare {
  readonly code: string;
  readonly share: number;
}

/** The language of the most frequent script in a text that is foreign to the model; undefined if there is none. */
export const foreignScript = (text: string): ScriptShare | undefined => {
  let letters = 0;
  const counts = new Map<string, number>();
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (classOf[unit] !== LETTER) continue;
    letters++;
    const code = SCRIPTS.find(([first, last]) => unit >= first && unit <= last)?.[2];
    if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best === undefined ? undefined : { code: best[0], share: best[1] / letters };
};
