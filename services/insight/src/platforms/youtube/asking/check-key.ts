import type { PageRequest } from "../../connector.js";
import { askYoutube, type YoutubeDeps } from "./ask-youtube.js";

/** Any video: whether there is one with this id makes no difference. */
const VIDEO = "AAAAAAAAAAA";

/** Learns for one unit whether the key is accepted. Throws as `askYoutube`. */
export async function checkKey(deps: YoutubeDeps, request: PageRequest): Promise<void> {
  await askYoutube(deps, { method: "videos", parameters: { part: "id", id: VIDEO } }, request);
}
