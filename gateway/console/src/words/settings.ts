import { settingsWords } from "./en/settings.js";
import { words as common } from "./words.js";

/** With the words of the settings, which are loaded with them: the first screen does not wait for them. */
export const words = { ...common, settings: settingsWords };
