import type { SearchedTexts } from "../../query/match/matcher.js";
import { searchedTextsOf } from "../posting-draft.js";
import { readEvent } from "./posting/event.js";
import { toPosting } from "./posting/to-posting.js";

/** What of a frame of the stream is searched; undefined if it is no post. For benchmarks: a reading does the same. */
export function readStreamFrame(frame: string): SearchedTexts | undefined {
  const event = readEvent(frame);
  return event?.kind === "post" ? searchedTextsOf(toPosting(event)) : undefined;
}
