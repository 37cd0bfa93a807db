import { createHash } from "node:crypto";
import { EXPORTED_KEYS, POSTING_KEYS, type PostingJson } from "@hourglass/posting";
import { ExportFormat } from "@hourglass/proto/export/v1/export";
import { CsvDelimiter, type ExportForm } from "@hourglass/proto/export/v1/export_service";
import { AppError, giveOneOf } from "@hourglass/runtime";
import type { CsvDelimiter as Delimiter } from "./csv.js";
import { createEncoder, type Encoding } from "./encoder.js";
import { toJsonArray } from "./json.js";
import { inBlocks, parseBlock } from "./ndjson.js";
import { startRenderThread } from "./render-thread.js";

export interface FormOptions {
  /** Module of the thread; default: the compiled one. */
  readonly worker?: URL;
}

/**
 * The bytes of an export in another form, rendered from its JSON lines while they are read. Throws AppError `invalid` for
 * unknown columns, before anything is read.
 */
export function readInForm(
  ndjson: AsyncIterable<Uint8Array>,
  format: ExportFormat,
  form: ExportForm,
  options?: FormOptions,
): AsyncIterable<Uint8Array> {
  const lines = form.flaggedIdsOnly ? withIdsOnly(ndjson) : ndjson;
  const bytes = encode(lines, encodingOf(format, form), options);
  return format === ExportFormat.JSON ? toJsonArray(bytes) : bytes;
}

/** The tag of a form of the export whose stored bytes have the given tag. Throws as `readInForm`. */
export function tagOfForm(tag: string, format: ExportFormat, form: ExportForm): string {
  const parts = [format, encodingOf(format, form), ...(form.flaggedIdsOnly ? ["flagged_ids_only"] : [])];
  const encoding = JSON.stringify(parts);
  return `${tag}-${createHash("sha256").update(encoding).digest("hex").slice(0, 16)}`;
}

function encodingOf(format: ExportFormat, { columns: requested, csvDelimiter, csvBom: bom }: ExportForm): Encoding {
  checkColumns(requested);
  const all = format === ExportFormat.JSON ? POSTING_KEYS : EXPORTED_KEYS;
  const columns = requested.length === 0 ? all : requested;
  switch (format) {
    case ExportFormat.CSV:
      return { format: "csv", columns, delimiter: DELIMITERS[csvDelimiter], bom };
    case ExportFormat.PARQUET:
      return { format: "parquet", columns };
    default:
      return { format: "ndjson", columns };
  }
}

function checkColumns(columns: readonly string[]): void {
  const violations = columns.flatMap((column, index) => {
    if (EXPORTED_KEYS.includes(column)) return [];
    return [{ field: `reading.form.columns[${index}]`, message: giveOneOf(EXPORTED_KEYS, column) }];
  });
  if (violations.length > 0) throw AppError.invalid(violations);
}

const DELIMITERS: Readonly<Record<CsvDelimiter, Delimiter>> = {
  [CsvDelimiter.UNSPECIFIED]: ",",
  [CsvDelimiter.COMMA]: ",",
  [CsvDelimiter.SEMICOLON]: ";",
  [CsvDelimiter.TAB]: "\t",
};

/** Parquet is encoded by a thread. */
function encode(
  ndjson: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  { worker }: FormOptions = {},
): AsyncGenerator<Uint8Array> {
  return encoding.format === "parquet" ? encodeInThread(ndjson, encoding, worker) : encodeHere(ndjson, encoding);
}

async function* encodeHere(ndjson: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<Uint8Array> {
  const encoder = createEncoder(encoding);
  yield* unlessEmpty(encoder.begin());
  for await (const block of inBlocks(ndjson)) yield* unlessEmpty(encoder.add(parseBlock(block), block.length));
  yield* unlessEmpty(encoder.end());
}

async function* encodeInThread(
  ndjson: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  worker: URL | undefined,
): AsyncGenerator<Uint8Array> {
  const thread = startRenderThread({ [FILE]: encoding }, worker);
  const ready = ({ files }: { files: Readonly<Record<string, Uint8Array>> }) => unlessEmpty(files[FILE]);
  try {
    yield* ready(await thread.begin());
    for await (const block of inBlocks(ndjson)) yield* ready(await thread.add(block));
    yield* ready(await thread.end());
  } finally {
    await thread.close();
  }
}

function unlessEmpty(bytes: Uint8Array | undefined): Uint8Array[] {
  return bytes === undefined || bytes.length === 0 ? [] : [bytes];
}

const FILE = "form";

/** Keys of a posting that every platform allows to be passed on. */
const PASSED_ON: ReadonlySet<string> = new Set(["platform", "social_id", "social_url"]);
/** The entry of `more_info` by which a posting says that its platform allows no more. */
const FLAG = "ids_only";

/** JSON lines in which flagged postings hold only their ids and the flag. */
async function* withIdsOnly(ndjson: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const block of inBlocks(ndjson)) {
    // Most exports hold no flagged posting in most blocks.
    if (!block.includes(FLAG)) yield block;
    else
      yield Buffer.from(
        parseBlock(block)
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
