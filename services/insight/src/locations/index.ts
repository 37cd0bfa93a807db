export { type Entry, formatEntry, regionKey } from "./gazetteer/entry.js";
export { GAZETTEER_FILE } from "./gazetteer/gazetteer.js";
export { placeKey } from "./gazetteer/place-key.js";
