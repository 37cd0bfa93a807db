import type { ImportHeader, ImportPostingsRequest } from "@hourglass/proto/insight/v1/insight_service";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { AppError, giveAtMost } from "@hourglass/runtime";

/** An import as it was received. */
export interface ReceivedImport {
  header: ImportHeader;
  postings: Posting[];
}

const POSTINGS_MAX = 10_000;
/** Characters of the texts of all postings, which are held until the last one has arrived. */
const CHARACTERS_MAX = 32 * 1024 * 1024;

/**
 * Receives an import to its end; `onHeader` may refuse it before the postings arrive. Throws AppError `invalid` for a
 * stream in the wrong order or with too many postings, `too-large`, and `cancelled` for one that ends early.
 */
export async function readImport(
  requests: AsyncIterable<ImportPostingsRequest>,
  onHeader: (header: ImportHeader) => Promise<void>,
): Promise<ReceivedImport> {
  let header: ImportHeader | undefined;
  const postings: Posting[] = [];
  let characters = 0;
  let isWhole = false;
  for await (const { part, last } of requests) {
    if (part.case === "header") {
      header = onlyOnce(header, part.value);
      await onHeader(header);
    } else if (part.case === "slice" && header !== undefined) {
      characters += part.value.postings.reduce((sum, posting) => sum + lengthOf(posting), 0);
      postings.push(...part.value.postings);
      checkSize(postings.length, characters);
    }
    if (header === undefined) throw AppError.invalid([{ field: "header", message: "Send the header first." }]);
    isWhole ||= last;
  }
  if (header === undefined || !isWhole) {
    throw new AppError("cancelled", "The import ended without its last message. Send all of it again.");
  }
  return { header, postings };
}

function onlyOnce(earlier: ImportHeader | undefined, header: ImportHeader): ImportHeader {
  if (earlier === undefined) return header;
  throw AppError.invalid([{ field: "header", message: "Send the header only once." }]);
}

function lengthOf({ textOfPost = "", moreInfoJson }: Posting): number {
  return textOfPost.length + moreInfoJson.length;
}

function checkSize(count: number, characters: number): void {
  if (count > POSTINGS_MAX) throw AppError.invalid([{ field: "postings", message: giveAtMost(POSTINGS_MAX, "item") }]);
  if (characters <= CHARACTERS_MAX) return;
  throw new AppError("too-large", "The texts of this import are too long. Send it in several parts.");
}
