import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ExportFormat } from "@hourglass/proto/export/v1/export";
import { CsvDelimiter, ExportFormSchema } from "@hourglass/proto/export/v1/export_service";
import { POSTING_KEYS } from "@hourglass/posting";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { readInForm, tagOfForm } from "./form.js";
import { jsonArraySize, readJsonArray, type StoredLines } from "./json.js";
import { inBlocks, parseBlock } from "./ndjson.js";
import { toLine } from "./render.js";
import { BUILT, collected, inPieces } from "./testing/memory-files.js";
import { hostilePosting, posting } from "./testing/postings.js";

describe("the JSON array of an export", () => {
  const lines = fc
    .array(hostilePosting, { maxLength: 3 })
    .map((postings) => Buffer.from(postings.map(toLine).join("")));

  const stored = (ndjson: Buffer): StoredLines => ({
    bytes: ndjson.length,
    rows: ndjson.toString().split("\n").length - 1,
  });

  it("is valid JSON with the postings of the lines, each with the keys of the interface", async () => {
    const property = fc.asyncProperty(lines, fc.integer({ min: 1, max: 999 }), async (ndjson, size) => {
      const array = await collected(readJsonArray(() => inPieces(ndjson, size), stored(ndjson)));
      expect(array).toHaveLength(jsonArraySize(stored(ndjson)));
      const read = JSON.parse(array.toString()) as object[];
      for (const entry of read) expect(Object.keys(entry)).toEqual(POSTING_KEYS);
      expect(read.map((entry) => JSON.stringify(entry))).toEqual(
        parseBlock(ndjson).map(({ posted_at: _, ...entry }) => JSON.stringify(entry)),
      );
    });
    await fc.assert(property, { numRuns: repeats(50) });
  });

  it("can be read in parts, which are those of the whole", async () => {
    const moment = ',"posted_at":"2026-01-31T23:59:09Z"';
    const ndjson = Buffer.from(`{"a":"1"${moment}}\n{"b":2${moment}}\n`);
    const whole = Buffer.from('[{"a":"1"},{"b":2}]');
    const property = fc.asyncProperty(
      fc.constantFrom([ndjson, whole] as const, [Buffer.alloc(0), Buffer.from("[]")] as const),
      fc.integer({ min: 0, max: 19 }),
      fc.integer({ min: 0, max: 19 }),
      fc.integer({ min: 1, max: 5 }),
      async ([bytes, array], start, length, size) => {
        const end = Math.min(start + length, array.length);
        const part = await collected(readJsonArray(() => inPieces(bytes, size), stored(bytes), { start, end }));
        expect(part.toString()).toBe(array.subarray(start, end).toString());
      },
    );
    await fc.assert(property, { numRuns: repeats(300) });
  });
});

describe("an export of which some postings may be passed on by their ids only", () => {
  it("holds the ids of those, and all of the others", async () => {
    const flagged = posting({ socialId: "1", socialUrl: "https://x.com/1", moreInfoJson: '{"ids_only":true,"a":1}' });
    const whole = posting({ socialId: "2", textOfPost: "ids_only", moreInfoJson: '{"ids_only":"no","a":1}' });
    const lines = [{ ...flagged, textOfPost: "Secret" }, whole].map(toLine);
    const form = create(ExportFormSchema, { flaggedIdsOnly: true });
    const read = await collected(readInForm(inPieces(Buffer.from(lines.join("")), 50), ExportFormat.JSON, form));
    const [first, second] = JSON.parse(read.toString()) as Record<string, unknown>[];
    const stated = Object.entries(first ?? {}).filter(([, value]) => value !== null);
    expect(Object.fromEntries(stated)).toEqual({
      platform: "reddit",
      social_id: "1",
      social_url: "https://x.com/1",
      more_info: { ids_only: true },
    });
    expect(Object.keys(first ?? {})).toEqual(Object.keys(second ?? {}));
    expect({ ...second, posted_at: "2026-01-31T23:59:09Z" }).toEqual(JSON.parse(lines[1] ?? ""));
  });

  it("has another tag", () => {
    const tags = [true, false].map((flaggedIdsOnly) =>
      tagOfForm("tag", ExportFormat.CSV, create(ExportFormSchema, { flaggedIdsOnly })),
    );
    expect(tags[0]).not.toBe(tags[1]);
  });
});

describe("blocks of lines", () => {
  it("are the lines, whatever the pieces in which they arrive", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 6 }),
      fc.integer({ min: 1000, max: 300_000 }),
      async (sizes, size) => {
        const bytes = Buffer.from(sizes.map((length) => `${"x".repeat(length)}\n`).join(""));
        const blocks: Buffer[] = [];
        for await (const block of inBlocks(inPieces(bytes, size))) blocks.push(block);
        expect(Buffer.concat(blocks).equals(bytes)).toBe(true);
        for (const block of blocks) expect(block.at(-1)).toBe(0x0a);
      },
    );
    await fc.assert(property, { numRuns: repeats(30) });
  });
});

describe("a projection of an export", () => {
  const ndjson = Buffer.from(
    [posting({ socialId: "1", moreInfoJson: '{"social_id":"x","platform":2}' }), posting({ textOfPost: "=1" })]
      .map(toLine)
      .join(""),
  );

  const form = (init: MessageInitShape<typeof ExportFormSchema>) => create(ExportFormSchema, init);
  const read = (format: ExportFormat, init: MessageInitShape<typeof ExportFormSchema>, bytes = ndjson) =>
    collected(readInForm(inPieces(bytes, 100), format, form(init), { worker: BUILT }));

  it("has the columns that were asked for, in their order, in every format", async () => {
    const columns = ["social_id", "platform", "more_info"];
    const lines = [
      '{"social_id":"1","platform":"reddit","more_info":{"social_id":"x","platform":2}}',
      '{"social_id":null,"platform":"reddit","more_info":null}',
    ];
    expect((await read(ExportFormat.NDJSON, { columns })).toString()).toBe(`${lines.join("\n")}\n`);
    expect((await read(ExportFormat.JSON, { columns })).toString()).toBe(`[${lines.join(",")}]`);
    expect((await read(ExportFormat.JSON, { columns }, Buffer.alloc(0))).toString()).toBe("[]");
    expect((await read(ExportFormat.CSV, { columns })).toString()).toBe(
      'social_id,platform,more_info\r\n1,reddit,"{""social_id"":""x"",""platform"":2}"\r\n,reddit,\r\n',
    );
    const parquet = await read(ExportFormat.PARQUET, { columns });
    expect(await parquetReadObjects({ file: new Uint8Array(parquet).buffer })).toEqual([
      { social_id: "1", platform: "reddit", more_info: { social_id: "x", platform: 2 } },
      { social_id: null, platform: "reddit", more_info: null },
    ]);
  });

  it("may have the moment among its columns, and only then has it as JSON", async () => {
    const columns = ["posted_at", "social_id"];
    expect((await read(ExportFormat.JSON, { columns })).toString()).toBe(
      '[{"posted_at":"2026-01-31T23:59:09Z","social_id":"1"},{"posted_at":"2026-01-31T23:59:09Z","social_id":null}]',
    );
    expect((await read(ExportFormat.CSV, { columns })).toString()).toMatch(
      /^posted_at,social_id\r\n2026-01-31T23:59:09Z,1\r\n/,
    );
    const parquet = new Uint8Array(await read(ExportFormat.PARQUET, { columns }));
    expect(await parquetReadObjects({ file: parquet.buffer })).toMatchObject([
      { posted_at: new Date("2026-01-31T23:59:09Z"), social_id: "1" },
      { posted_at: new Date("2026-01-31T23:59:09Z"), social_id: null },
    ]);
    const keys = async (format: ExportFormat) => {
      const text = (await read(format, { csvBom: true })).toString();
      return Object.keys(
        (format === ExportFormat.JSON
          ? (JSON.parse(text) as object[])[0]
          : JSON.parse(text.split("\n")[0] ?? "")) as object,
      );
    };
    expect(await keys(ExportFormat.JSON)).toEqual(POSTING_KEYS);
    expect(await keys(ExportFormat.NDJSON)).toEqual([...POSTING_KEYS, "posted_at"]);
  });

  it("may be CSV with another separator and a byte order mark", async () => {
    const columns = ["platform", "text_of_post"];
    const csv = await read(ExportFormat.CSV, { columns, csvDelimiter: CsvDelimiter.SEMICOLON, csvBom: true });
    expect(csv.toString()).toBe("\ufeffplatform;text_of_post\r\nreddit;\r\nreddit;'=1\r\n");
  });

  it("has another tag, and no unknown column", () => {
    const tags = [{}, { columns: ["platform"] }, { csvBom: true }, { csvDelimiter: CsvDelimiter.TAB }].map((init) =>
      tagOfForm("abc", ExportFormat.CSV, form(init)),
    );
    expect(new Set([...tags, tagOfForm("abd", ExportFormat.CSV, form({}))]).size).toBe(5);
    expect(() => tagOfForm("abc", ExportFormat.JSON, form({ columns: ["platform", "text"] }))).toThrow(/columns\[1\]/);
  });
});
