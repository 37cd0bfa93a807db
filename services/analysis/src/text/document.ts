import type { TextDocument } from "../types.js";
import { detectLanguage } from "./language/detector.js";

const LANGUAGE = Symbol("language");

/** Wraps a text so that its analyzers share computed values. Its language is detected, unless it is known. */
export const createDocument = (text: string, language?: string): TextDocument => {
  const kept = new Map<symbol, unknown>();
  return {
    text,
    get language() {
      return this.once(LANGUAGE, language === undefined ? detectLanguage : () => ({ code: language, prob: 1 }));
    },
    once<V>(key: symbol, make: (text: string) => V): V {
      if (!kept.has(key)) kept.set(key, make(text));
      // The key is private to the module that creates the value, so the stored value has the type that `make` returns.
      return kept.get(key) as V;
    },
    set(key, value) {
      kept.set(key, value);
    },
  };
};
