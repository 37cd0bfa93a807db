import type { Analyzer, Classification } from "../types.js";
import type { TextualDescriptor } from "../descriptor.js";
import { ANALYSES, type Registry, type ResultsOf, type TextualAnalysis } from "../registry/analyses.js";

/** Tells texts in capitals from others. */
const createLoudness = (): Analyzer<"loudness", Classification> => ({
  type: "loudness",
  engine: "fast",
  model: { id: "loudness-rules", version: "1" },
  languages: new Set(["en"]),
  analyze: ({ text }) => ({ value: text === text.toUpperCase() ? "loud" : "calm", prob: 0.75 }),
});

const loudness: TextualDescriptor<"loudness", Classification> = {
  type: "loudness",
  kind: "textual",
  engines: {
    fast: () => Promise.resolve(createLoudness()),
    models: () => Promise.reject(new Error("its model is absent")),
  },
  defaultEngine: "fast",
  defaultModel: "acme/loudness",
};

/** The product's analyses and one more. */
const textual = { ...ANALYSES.textual, loudness };
export const WITH_TOY: Registry = { ...ANALYSES, textual };

/** The results that follow from their descriptors. */
export type ResultsWithToy = ResultsOf<typeof textual>;

/** Invented, so that the pool's types do not name it; a real analysis stands in the product's registry. */
export const TOY = "loudness" as string as TextualAnalysis;
