import { postingWords } from "./en/postings.js";
import { words as common } from "./words.js";

/** With the words of postings, which are loaded with them: the first screen does not wait for them. */
export const words = { ...common, postings: postingWords };
