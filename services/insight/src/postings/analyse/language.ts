import { detectLanguage, isOneLanguage } from "@hourglass/analysis";
import type { PostingRecord } from "../../store/records.js";

/** Fewer letters say too little. */
const LETTERS_MIN = 20;
const LETTER = /\p{L}/gu;

/** The language that the platform states, else the detected one; null if the text says too little, or is in several. */
export function languageOf({ language, content: { text = "" } }: PostingRecord): string | null {
  if (language !== null) return language;
  if ((text.slice(0, 10_000).match(LETTER)?.length ?? 0) < LETTERS_MIN) return null;
  const { code } = detectLanguage(text);
  return isOneLanguage(code) ? code : null;
}
