import { exportWords } from "./en/exports.js";
import { words as common } from "./words.js";

/** With the words of exports, which are loaded with them: the first screen does not wait for them. */
export const words = { ...common, exports: exportWords };
