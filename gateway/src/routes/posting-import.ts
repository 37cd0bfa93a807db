import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ImportRow, WrongRow } from "@hourglass/posting";
import type { ImportHeaderSchema, ImportPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { AppError, giveAtMost, type FieldViolation } from "@hourglass/runtime";

/** Maximum number of postings in an import. Defined here, since the contract has no rules for streams. */
const POSTINGS_MAX = 10_000;
/** A response explains at most this many violations or rows, since people read it. */
const EXPLAINED_MAX = 1000;

/** The postings of a body, and the rows left out. */
interface ReadRows {
  readonly postings: Posting[];
  /** The row of each posting. */
  readonly rowOf: number[];
  /** The index of each posting among all rows. */
  readonly indexOf: number[];
  /** How many rows were left out. */
  skipped: number;
  /** The first of them, with what is wrong. */
  readonly leftOut: WrongRow[];
}

/** Called before each row; resolves when it may be read. */
type Step = () => Promise<void>;

/** A parser handles each piece at once: so many bytes, whatever they hold, take it a few milliseconds. */
const PIECE_BYTES = 16_384;

/** The bytes of a body in small pieces, each after a step. */
export async function* inTurns(chunks: readonly Uint8Array[], step: Step): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      await step();
      yield chunk.subarray(start, start + PIECE_BYTES);
    }
  }
}

/** What becomes of wrong rows. */
interface RowRules {
  /** Which are left out: the wrong ones, or those without text and media. Others refuse all. */
  readonly leaveOut: "wrong" | "blank" | "none";
  /** Whether they are named by their row in the file, or by the index of their posting. */
  readonly named: "rows" | "postings";
}

/**
 * Reads all rows. Those that are not left out fail with AppError `invalid`, which names every
 * wrong field.
 */
export async function readRows(
  rows: AsyncIterable<ImportRow>,
  { leaveOut, named }: RowRules,
  step: Step,
): Promise<ReadRows> {
  const read: ReadRows = { postings: [], rowOf: [], indexOf: [], skipped: 0, leftOut: [] };
  const violations: FieldViolation[] = [];
  let count = 0;
  await step();
  for await (const row of rows) {
    if (count === POSTINGS_MAX) throw tooMany();
    if ("posting" in row) {
      read.postings.push(row.posting);
      read.rowOf.push(row.row);
      read.indexOf.push(count);
    } else if (leaveOut === "wrong" || (leaveOut === "blank" && row.isBlank === true)) {
      if (++read.skipped <= EXPLAINED_MAX) read.leftOut.push(row);
    } else {
      const place = `${named}[${named === "rows" ? row.row : count}]`;
      violations.push(...row.violations.map(({ field, message }) => ({ field: nameOf(place, field), message })));
    }
    if (violations.length > EXPLAINED_MAX) break;
    count++;
    await step();
  }
  if (violations.length > 0) throw AppError.invalid(violations);
  return read;
}

function nameOf(place: string, field: string): string {
  return field === "" ? place : `${place}.${field}`;
}

function tooMany(): AppError {
  return AppError.invalid([{ field: "postings", message: giveAtMost(POSTINGS_MAX, "item") }]);
}

/** Limits of a message, which the service checks at once. */
const SLICE_POSTINGS = 100;
const SLICE_CHARACTERS = 524_288;

/** The messages of an import: the header, then the postings in slices. */
export async function* importMessages(
  header: MessageInitShape<typeof ImportHeaderSchema>,
  postings: readonly Posting[],
  step: Step,
): AsyncGenerator<MessageInitShape<typeof ImportPostingsRequestSchema>> {
  yield { part: { case: "header", value: header }, last: postings.length === 0 };
  for (let start = 0; start < postings.length;) {
    await step();
    const end = endOfSlice(postings, start);
    yield { part: { case: "slice", value: { postings: postings.slice(start, end) } }, last: end === postings.length };
    start = end;
  }
}

function endOfSlice(postings: readonly Posting[], start: number): number {
  let characters = 0;
  for (let end = start; end < postings.length; end++) {
    characters += charactersOf(postings[end]);
    const isFull = end - start === SLICE_POSTINGS || characters > SLICE_CHARACTERS;
    if (isFull && end > start) return end;
  }
  return postings.length;
}

/** An item of a list counts as so many characters: a message has a maximum of values too. */
const ITEM_CHARACTERS = 32;

/** Of the fields that can be long. */
function charactersOf(posting: Posting | undefined): number {
  if (posting === undefined) return 0;
  const { topics, visualDetectionAnalyses, textPostTaggedUsers, textPostTags, media } = posting;
  const lists = [topics, visualDetectionAnalyses, textPostTaggedUsers, textPostTags, media];
  const items = lists.reduce((sum, list) => sum + list.length, 0);
  return (posting.textOfPost?.length ?? 0) + posting.moreInfoJson.length + ITEM_CHARACTERS * items;
}

/** Names the postings that the service refuses by the row of the file that holds them. */
export function inRows(error: unknown, rowOf: readonly number[]): unknown {
  return renamed(error, rowOf, "rows");
}

/** Names the postings that the service refuses by their index among all lines, some of which were left out. */
export function inLines(error: unknown, indexOf: readonly number[]): unknown {
  return renamed(error, indexOf, "postings");
}

function renamed(error: unknown, places: readonly number[], named: RowRules["named"]): unknown {
  if (!(error instanceof AppError) || error.violations.length === 0) return error;
  const nameIn = (text: string) =>
    text.replace(/^postings\[(\d+)\]/, (whole, index: string) => {
      const place = places[Number(index)];
      return place === undefined ? whole : `${named}[${place}]`;
    });
  const violations = error.violations.map(({ field, message }) => ({ field: nameIn(field), message: nameIn(message) }));
  return AppError.invalid(violations, error.code);
}
