import type { YoutubeDeps } from "../youtube/asking/ask-youtube.js";
import type { KeptComments } from "./config.js";

/** What the connector asks with. */
export interface CommentsDeps extends YoutubeDeps {
  readonly kept: KeptComments;
}
