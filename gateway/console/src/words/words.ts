import { en, type Words } from "./en.js";

/** The words in the language of the reader. */
export const words: Words = en;
