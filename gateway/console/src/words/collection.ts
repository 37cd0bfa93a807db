import { collectionWords } from "./en/collection.js";
import { coverageWords } from "./en/coverage.js";
import { postingWords } from "./en/postings.js";
import { words as common } from "./settings.js";

/** With the words of the collection, which are loaded with it: the first screen does not wait for them. */
export const words = { ...common, postings: postingWords, collection: collectionWords, coverage: coverageWords };
