import { EXPORTED_KEYS, POSTING_FIELDS, readCsv, readPosting, toExportedJson, toPostingJson } from "@hourglass/posting";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { repeats } from "@hourglass/runtime/testing";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { describe, expect, it } from "vitest";
import { parseBlock } from "./ndjson.js";
import { toLine } from "./render.js";
import { hostilePosting, posting } from "./testing/postings.js";
import { encoded } from "./testing/memory-files.js";

const csv = (postings: readonly Posting[]) => encoded(postings, { format: "csv", columns: EXPORTED_KEYS });
const parquet = (postings: readonly Posting[]) => encoded(postings, { format: "parquet", columns: EXPORTED_KEYS });

/** The reader takes lists that are null for undefined. */
async function parquetRows(bytes: Buffer): Promise<Record<string, unknown>[]> {
  const rows = await parquetReadObjects({ file: arrayBufferOf(bytes) });
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value ?? null])));
}

function arrayBufferOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

describe("a line of JSON", () => {
  it("is the posting object, whatever its texts hold", () => {
    fc.assert(
      fc.property(hostilePosting, (given) => {
        const line = toLine(given);
        expect(line.indexOf("\n")).toBe(line.length - 1);
        expect(JSON.parse(line)).toEqual(wellFormed(toExportedJson(given)));
        expect(Object.keys(JSON.parse(line) as object)).toEqual(EXPORTED_KEYS);
      }),
    );
  });

  it("holds no lone surrogate, which strict readers refuse, and leaves alone what only looks like one", () => {
    const line = toLine(
      posting({ textOfPost: "\ud800 🦅 \\ud800 \\\udfff", moreInfoJson: '{"\\ud83e":["\\udd85\\ud800"]}' }),
    );
    expect(JSON.parse(line)).toMatchObject({
      text_of_post: "\ufffd 🦅 \\ud800 \\\ufffd",
      more_info: { "\ufffd": ["\ufffd\ufffd"] },
    });
    expect(line).not.toMatch(/[^\\]\\ud/);
  });
});

function utf8(text: string): string {
  return Buffer.from(text).toString();
}

/** Values as UTF-8 can carry them. */
function wellFormed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, item: unknown) => {
    if (typeof item === "string") return utf8(item);
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([key, value]) => [utf8(key), value]));
  });
}

describe("CSV", () => {
  it("has a header of all keys and rows that end in CRLF, with lists joined and objects in JSON", async () => {
    const bytes = await csv([
      posting({
        topics: ["one"],
        visualDetectionAnalyses: ["tabby, cat", "sofa"],
        textPostTags: ["a", "b"],
        counts: { likeCount: -5n, viewCount: 7n },
        moreInfoJson: '{"a":[1]}',
      }),
    ]);
    const [header, row, end] = bytes.toString().split("\r\n");
    expect(header).toBe(EXPORTED_KEYS.join(","));
    expect(row).toContain(',"tabby, cat, sofa",');
    expect(row).toContain(',"a, b",');
    expect(row).toMatch(/,"\{""a"":\[1\]\}",2026-01-31T23:59:09Z$/);
    expect(row).toContain(",-5,");
    expect(row).toContain(",7,");
    expect(end).toBe("");
  });

  it("has no cell that a spreadsheet takes for a formula, whatever the texts hold", async () => {
    const property = fc.asyncProperty(fc.array(hostilePosting, { maxLength: 4 }), async (postings) => {
      const rows = parse(await csv(postings), { record_delimiter: "\r\n" });
      expect(rows).toHaveLength(postings.length + 1);
      for (const row of rows) {
        expect(row).toHaveLength(EXPORTED_KEYS.length);
        const texts = row.filter((_, index) => POSTING_FIELDS[index]?.value !== "count");
        expect(texts.filter((cell) => /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u.test(cell))).toEqual([]);
      }
    });
    await fc.assert(property);
  });

  it.each([
    "=1",
    "\n=1",
    "\r\n+1",
    "\t-1",
    "\u00a0@A1",
    "\u200b=1",
    "\ufeff=1",
    "＝1",
    "＋1",
    "－1",
    "＠A1",
    " \u2060＝1",
    "\n",
  ])("has an apostrophe before the text %j, wherever it stands", async (text) => {
    const given = posting({ textOfPost: text, author: { authorName: text }, textPostTags: [text], socialId: text });
    const [header = [], row = []] = parse(await csv([given]), { record_delimiter: "\r\n" });
    for (const key of ["text_of_post", "author_name", "social_id"]) expect(row[header.indexOf(key)]).toBe(`'${text}`);
    expect(row[header.indexOf("text_post_tags")]).toMatch(/^['[]/);
  });

  /** Postings with the same id and other texts would overwrite each other. */
  const distinctPostings = fc.uniqueArray(hostilePosting, {
    minLength: 1,
    maxLength: 4,
    selector: ({ socialId }) => socialId ?? {},
  });

  it("loses nothing but what the analysis fills when it is imported again", async () => {
    const property = fc.asyncProperty(distinctPostings, async (postings) => {
      const accepted = postings.filter((given) => importable(given) !== null);
      const rows = [];
      for await (const row of readCsv(onePiece(await csv(accepted)), { preset: "hourglass" })) rows.push(row);
      const read = rows.map((row) => ("posting" in row ? imported(toPostingJson(row.posting)) : row));
      expect(read).toEqual(accepted.map((given) => imported(wellFormed(toPostingJson(given)))));
    });
    await fc.assert(property);
  });

  it.each(["a;=1+1;b", "a;'=1+1;b", "=1;+2", ";-1", "a,=1+1\tb", "a; @b;\n=c"])(
    "keeps %j, in which another separator would make a formula",
    async (text) => {
      const bytes = await csv([posting({ textOfPost: text })]);
      for (const delimiter of [",", ";"]) {
        const cells = parse(bytes, { delimiter, relax_quotes: true, relax_column_count: true }).flat();
        expect(cells.filter((cell) => /^\s*[=+\-@]/.test(cell))).toEqual([]);
      }
      const rows = [];
      for await (const row of readCsv(onePiece(bytes), { preset: "hourglass" })) rows.push(row);
      expect(rows).toMatchObject([{ posting: { textOfPost: text } }]);
    },
  );

  it.each([";", "\t"] as const)("separates cells by %j as well, after a byte order mark", async (delimiter) => {
    const given = [posting({ textOfPost: "a;b\tc,d" })];
    const bytes = await encoded(given, { format: "csv", columns: ["platform", "text_of_post"], delimiter, bom: true });
    expect(bytes.toString()).toBe(`\ufeffplatform${delimiter}text_of_post\r\nreddit${delimiter}"a;b\tc,d"\r\n`);
  });

  it.each(["a\nb", "a\rb", "a\r\nb"])("quotes a cell that holds the line end %j", async (text) => {
    const bytes = await encoded([posting({ textOfPost: text })], { format: "csv", columns: ["text_of_post"] });
    expect(bytes.toString()).toBe(`text_of_post\r\n"${text}"\r\n`);
  });

  it("keeps a row whose only cell is empty", async () => {
    const bytes = await encoded([posting(), posting()], { format: "csv", columns: ["sentiments"] });
    expect(bytes.toString()).toBe('sentiments\r\n""\r\n""\r\n');
  });
});

/** What an import makes of a posting object; null if it is refused, such as one without a text. */
function importable(given: Posting) {
  return (given.textOfPost ?? "").trim() === "" ? null : readPosting(wellFormed(toPostingJson(given)), "", []);
}

/** The keys that imports read; empty texts and lists count as absent there, and names and tags have no signs before them. */
function imported(json: unknown): object {
  const values: Record<string, unknown> = { ...(json as Record<string, unknown>) };
  values["text_post_tagged_users"] = withoutSigns(values["text_post_tagged_users"], /^\s*[@＠]+\s*/);
  values["text_post_tags"] = withoutSigns(values["text_post_tags"], /^\s*[#＃]+\s*/);
  return Object.fromEntries(
    POSTING_FIELDS.filter(({ imported: isRead }) => isRead).map(({ key }) => [
      key,
      values[key] === "" ? null : values[key],
    ]),
  );
}

function withoutSigns(items: unknown, signs: RegExp): unknown {
  const bare = (items as string[] | null)?.map((item) => item.replace(signs, "")).filter((item) => item !== "");
  return bare === undefined || bare.length === 0 ? null : bare;
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}

describe("Parquet", () => {
  it("has counts as INT64, the time as TIMESTAMP in UTC, lists as LIST and more_info as JSON", async () => {
    const bytes = await parquet([
      posting({
        counts: { likeCount: 2n ** 63n - 1n, shareCount: -3n },
        textPostTags: ["a", "b, c"],
        moreInfoJson: '{"a":{"b":null}}',
      }),
      posting(),
    ]);
    const { children } = parquetSchema(parquetMetadata(arrayBufferOf(bytes)));
    const types = new Map(children.map(({ element }) => [element.name, element]));
    expect([...types.keys()]).toEqual(EXPORTED_KEYS);
    expect(types.get("like_count")).toMatchObject({ type: "INT64" });
    expect(types.get("posted_at")).toMatchObject({
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
    });
    expect(types.get("text_post_tags")).toMatchObject({ converted_type: "LIST" });
    expect(types.get("more_info")).toMatchObject({ logical_type: { type: "JSON" } });
    const [first, second] = await parquetRows(bytes);
    expect(first).toMatchObject({
      insight_search_id: "4",
      platform: "reddit",
      like_count: 2n ** 63n - 1n,
      share_count: -3n,
      text_post_tags: ["a", "b, c"],
      more_info: { a: { b: null } },
      post_date: "1/31/2026",
      post_time: "23:59:09",
      posted_at: new Date(Date.UTC(2026, 0, 31, 23, 59, 9)),
    });
    expect(second).toMatchObject({ like_count: null, text_post_tags: null, more_info: null });
  });

  it("says the same as the lines of JSON, whatever the texts hold", async () => {
    const property = fc.asyncProperty(fc.array(hostilePosting, { maxLength: 5 }), async (postings) => {
      const rows = await parquetRows(await parquet(postings));
      const read = rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key, inJson(value)])),
      );
      const lines = postings.flatMap((given) => parseBlock(Buffer.from(toLine(given))));
      expect(comparable(read)).toEqual(comparable(lines));
    });
    await fc.assert(property, { numRuns: repeats(60) });
  });

  function inJson(value: unknown): unknown {
    if (value instanceof Date) return value.toISOString().replace(".000Z", "Z");
    return typeof value === "bigint" ? String(value) : value;
  }

  /** The reader drops a leading byte order mark of every text, which may have several; the writer drops `__proto__`. */
  function comparable(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value), (key, item: unknown) => {
      if (key === "__proto__") return undefined;
      return typeof item === "string" ? item.replace(/^\ufeff+/, "") : item;
    });
  }

  it("has its columns without any posting", async () => {
    const metadata = parquetMetadata(arrayBufferOf(await parquet([])));
    expect(metadata.num_rows).toBe(0n);
    expect(parquetSchema(metadata).children).toHaveLength(EXPORTED_KEYS.length);
  });

  it("is written in row groups that bound its memory", async () => {
    const large = Array.from({ length: 40 }, (_, index) => posting({ textOfPost: String(index).repeat(500_000) }));
    const bytes = await encoded(large, { format: "parquet", columns: ["text_of_post"] });
    expect(parquetMetadata(arrayBufferOf(bytes)).row_groups.length).toBeGreaterThan(1);
    expect(await parquetRows(bytes)).toEqual(large.map(({ textOfPost }) => ({ text_of_post: textOfPost })));
  });
});
