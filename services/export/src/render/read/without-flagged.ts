import type { PostingJson } from "@hourglass/posting/columns";
import { fromBlock, inBlocks } from "../blocks.js";

/** Keys of a posting that every platform allows to be passed on. */
const PASSED_ON: ReadonlySet<string> = new Set(["platform", "social_id", "social_url"]);
/** The entry of `more_info` by which a posting says that its platform allows no more. */
const FLAG = "ids_only";

/** JSON lines in which postings that say so hold their ids only, and that mark; the others are as they were. */
export async function* withoutFlagged(ndjson: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const block of inBlocks(ndjson)) {
    // Most exports hold no flagged posting in most blocks.
    if (!block.includes(FLAG)) yield block;
    else
      yield Buffer.from(
        fromBlock(block)
          .map((posting) => `${JSON.stringify(passedOn(posting))}\n`)
          .join(""),
      );
  }
}

function passedOn(posting: PostingJson): PostingJson {
  if (!isFlagged(posting["more_info"])) return posting;
  const entries = Object.entries(posting).map(([key, value]) => [key, PASSED_ON.has(key) ? value : null] as const);
  return { ...Object.fromEntries(entries), more_info: { [FLAG]: true } };
}

function isFlagged(moreInfo: PostingJson[string] | undefined): boolean {
  return typeof moreInfo === "object" && moreInfo !== null && FLAG in moreInfo && moreInfo[FLAG] === true;
}
