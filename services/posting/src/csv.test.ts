import type { FieldViolation } from "@hourglass/runtime";
import { AppError } from "@hourglass/runtime";
import type { Violations } from "@hourglass/runtime/json";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PostingJson } from "./columns.js";
import { readColumnMap, type ColumnMap } from "./csv-layout.js";
import { RowScanner, type CsvRow } from "./csv-rows.js";
import { readCsv, type CsvReading } from "./csv.js";
import type { DateFormat } from "./date-format.js";
import { ImportNotes } from "./import-notes.js";
import { toPostingJson } from "./posting-json.js";
import { collect, inPieces } from "./testing/pieces.js";

const MAP = { platform: { value: "reddit" }, posted_at: "created", text_of_post: "body" };

function mapOf(value: unknown): ColumnMap {
  const violations: Violations = [];
  const map = readColumnMap(value, "map", violations);
  expect(violations).toEqual([]);
  return map ?? new Map();
}

/** The postings that a file holds, without what is null, and the rows left out. */
async function read(csv: string | Uint8Array, reading: CsvReading) {
  const rows = await collect(readCsv(inPieces(Buffer.from(csv), csv.length < 5000 ? 7 : 16_384), reading));
  const postings = rows.flatMap((row) => ("posting" in row ? [given(toPostingJson(row.posting))] : []));
  const wrong = rows.flatMap((row) => ("violations" in row ? [[row.row, row.violations] as const] : []));
  return { postings, wrong };
}

function given(posting: PostingJson): Record<string, unknown> {
  const filled = Object.entries(posting).filter(([, value]) => value !== null && value !== "");
  const { insight_search_id: _, ...others } = Object.fromEntries(filled);
  return others;
}

/** What an import is told about a file that is read. */
async function warnings(csv: string, reading: CsvReading): Promise<readonly string[]> {
  const notes = new ImportNotes();
  await read(csv, { ...reading, notes });
  return notes.warnings;
}

async function refusal(csv: string | Uint8Array, reading: CsvReading): Promise<AppError> {
  const error: unknown = await read(csv, reading).catch((failure: unknown) => failure);
  if (error instanceof AppError) return error;
  throw new Error("the file was accepted");
}

describe("a CSV file with a column map", () => {
  it("becomes postings, with quoted cells, line breaks in them, and any of the usual separators", async () => {
    const expected = {
      platform: "reddit",
      post_date: "1/31/2026",
      post_time: "10:20:30",
      text_of_post: 'a "b"\nc, d; e',
    };
    for (const separator of [",", ";", "\t"]) {
      const csv = `\ufeffid${separator}created${separator}body\r\n1${separator}2026-01-31T10:20:30Z${separator}"a ""b""\nc, d; e"\r\n\r\n`;
      expect(await read(csv, { map: mapOf(MAP) })).toEqual({ postings: [expected], wrong: [] });
    }
  });

  it.each([
    ["2026-01-31T10:20:30Z", "1/31/2026 10:20:30"],
    ["2026-01-31 10:20:30", "1/31/2026 10:20:30"],
    ["2026-01-31T10:20:30.999+05:30", "1/31/2026 4:50:30"],
    ["2026-01-31", "1/31/2026 00:00:00"],
    ["Sat Jan 31 10:20:30 +0000 2026", "1/31/2026 10:20:30"],
    ["2026-01-31 05:20:30 EST", "1/31/2026 10:20:30"],
    ["2026-01-31 10:20:30+00", "1/31/2026 10:20:30"],
    ["1/31/2026 10:20 PM", "1/31/2026 22:20:00"],
    ["31.01.2026 10:20", "1/31/2026 10:20:00"],
    ["1/31/2026", "1/31/2026 00:00:00"],
    ["1/31/2026 9:05", "1/31/2026 09:05:00"],
    ["2026-02-30", undefined],
    ["2026-02-30T10:00:00Z", undefined],
    ["2/30/2026", undefined],
    ["13/13/2026", undefined],
    ["2026-01-31T25:00:00Z", undefined],
    ["2026-01-31T10:00:00+25:00", undefined],
    ["yesterday", undefined],
    ["", undefined],
  ])("reads the time %j", async (cell, expected) => {
    const { postings, wrong } = await read(`created,body\n${cell},x\n`, { map: mapOf(MAP) });
    if (expected === undefined) expect(wrong).toHaveLength(1);
    else {
      const [date, time = ""] = expected.split(" ");
      expect(postings).toMatchObject([{ post_date: date, post_time: time.padStart(8, "0") }]);
    }
  });

  it("takes only the format that the map names", async () => {
    const map = mapOf({ ...MAP, posted_at: { column: "created", format: "unix" } });
    const { postings, wrong } = await read("created,body\n1769854830,x\n2026-01-31,x\n", { map });
    expect(postings).toHaveLength(1);
    expect(wrong.map(([row]) => row)).toEqual([3]);
    const { violations } = await refusal("created,body\n1769854830,x\n", { map, dateFormat: "iso" });
    expect(violations.map(({ field }) => field)).toEqual(["date_format"]);
  });

  it.each<[DateFormat, string, string]>([
    ["d/m/yyyy", "03/04/2026 08:00", "4/3/2026 08:00:00"],
    ["d/m/yyyy", "3.4.26", "4/3/2026 00:00:00"],
    ["m/d/yyyy", "03-04-2026 8:00 PM", "3/4/2026 20:00:00"],
    ["iso", "2026-04-03T08:00:00+02:00", "4/3/2026 06:00:00"],
    ["unix", "1769854830.9", "1/31/2026 10:20:30"],
    ["unix_ms", "1769854830999", "1/31/2026 10:20:30"],
    ["excel", "46053.4309027778", "1/31/2026 10:20:30"],
    ["excel", "46053,5", "1/31/2026 12:00:00"],
  ])("reads times in the format %s: %s", async (dateFormat, cell, expected) => {
    const { postings } = await read(`created,body\n"${cell}",x\n`, { map: mapOf(MAP), dateFormat });
    const [date, time] = expected.split(" ");
    expect(postings).toMatchObject([{ post_date: date, post_time: time }]);
  });

  it.each([
    ["Europe/Lisbon", "7/1/2026 08:00", "7/1/2026 07:00:00"],
    ["America/New_York", "2026-01-31 22:00", "2/1/2026 03:00:00"],
    ["America/New_York", "2026-01-31 22:00Z", "1/31/2026 22:00:00"],
    ["Europe/Berlin", "2026-03-29 02:30", "3/29/2026 01:30:00"],
    ["Europe/Berlin", "2026-10-25 02:30", "10/25/2026 00:30:00"],
    ["Asia/Kathmandu", "2026-01-31", "1/30/2026 18:15:00"],
  ])("takes times without a zone for those of %s: %s", async (timeZone, cell, expected) => {
    const { postings } = await read(`created,body\n${cell},x\n`, { map: mapOf(MAP), timeZone });
    const [date, time] = expected.split(" ");
    expect(postings).toMatchObject([{ post_date: date, post_time: time }]);
  });

  it.each([
    ["03/04/2026,a\n25/04/2026,b", /^Row 3 has 25\/04\/2026, which contradicts m\/d\/yyyy.*3 April 2026.*4 March 2026/],
    ["25/04/2026,a", /by d\/m\/yyyy, 25\/04\/2026 in row 2 is 25 April 2026; by m\/d\/yyyy, it is left out/],
    ["25-04-2026 8:00,a\n04-25-2026 8:00,b", /contradicts m\/d\/yyyy/],
    ["04.25.2026,a", /contradicts d\/m\/yyyy/],
    ["46351.33,a\n46352,b", /excel \(25 November 2026\)/],
    ["1769854830,a", /unix \(31 January 2026\)/],
    ["1769854830123,a", /unix_ms \(31 January 2026\)/],
    ["7,a", /unix, unix_ms or excel/],
    ["1/31/26,a", /two digits/],
  ])("is refused for times that need a format: %s", async (rows, message) => {
    const { violations } = await refusal(`created,body\n${rows}\n`, { map: mapOf(MAP) });
    expect(violations).toEqual([{ field: "date_format", message: expect.stringMatching(message) as string }]);
  });

  it("is refused for a contradiction in columns of date and time, too", async () => {
    const csv =
      "platform,post_date,post_time,text_of_post\nreddit,03/04/2026,08:00:00,a\nreddit,25/04/2026,08:00:00,b\n";
    const { violations } = await refusal(csv, { preset: "hourglass" });
    expect(violations.map(({ field }) => field)).toEqual(["date_format"]);
    const { postings } = await read(csv, { preset: "hourglass", dateFormat: "d/m/yyyy" });
    expect(postings).toMatchObject([{ post_date: "4/3/2026" }, { post_date: "4/25/2026" }]);
  });

  it("leaves out a bare number among times", async () => {
    const { wrong } = await read("created,body\n2026-01-31,a\n46053,b\n", { map: mapOf(MAP) });
    expect(wrong).toMatchObject([[3, [{ message: expect.stringContaining("date_format") as string }]]]);
  });

  it("takes what programs write for missing values for missing", async () => {
    const csv = `created,body,likes,author,country\n${["NA", "NaN", "null", "-", "None", "N/A", "<NA>"]
      .map((missing) => `2026-01-31,x,${missing},NA,NA`)
      .join("\n")}\n`;
    const map = { ...MAP, like_count: "likes", author_name: "author", place_country_code: "country" };
    const { postings, wrong } = await read(csv, { map: mapOf(map) });
    expect(wrong).toEqual([]);
    expect(postings).toHaveLength(7);
    for (const posting of postings) {
      expect(posting).not.toHaveProperty("like_count");
      expect(posting).not.toHaveProperty("author_name");
      expect(posting).toMatchObject({ place_country_code: "NA" });
    }
  });

  it("reads the forms of lists, and codes as their standards have them", async () => {
    const csv =
      "created,body,tags,lang,country\n2026-01-31,x,#a #b,pt_BR,uk\n2026-01-31,x,\"['a', 'b']\",por,usa\n" +
      "2026-01-31,x,a;b,und,Germany\n";
    const map = { ...MAP, text_post_tags: "tags", text_post_lang: "lang", place_country_code: "country" };
    const { postings } = await read(csv, { map: mapOf(map) });
    expect(postings.map(({ text_post_tags: tags }) => tags)).toEqual([
      ["a", "b"],
      ["a", "b"],
      ["a", "b"],
    ]);
    expect(postings.map(({ text_post_lang: language }) => language)).toEqual(["pt", "pt", undefined]);
    expect(postings.map(({ place_country_code: country }) => country)).toEqual(["GB", "US", "DE"]);
  });

  it("leaves out rows without text and media", async () => {
    const map = mapOf({ ...MAP, media_urls: "media" });
    const csv = "created,body,media\n2026-01-31, ,\n2026-01-31,,https://a.example/1.png\n2026-01-31,NA,\n";
    const { postings, wrong } = await read(csv, { map });
    expect(postings).toHaveLength(1);
    expect(wrong).toMatchObject([
      [2, [{ field: "text_of_post" }]],
      [4, [{ field: "text_of_post" }]],
    ]);
  });

  it("may be as wide as it likes", async () => {
    const csv = `${"a,".repeat(200_000)}created,body\n${",".repeat(200_000)}2026-01-31,x\n`;
    expect((await read(csv, { map: mapOf(MAP) })).postings).toMatchObject([{ text_of_post: "x" }]);
  });

  it("says of times that can be read in two ways how many there are", async () => {
    const [ambiguous] = await warnings("created,body\n3/4/2026,a\n3/5/2026,b\n", { map: mapOf(MAP) });
    expect(ambiguous).toMatch(/^Row 2 has 3\/4\/2026, .* So is another\. If it is 3 April 2026, /);
  });

  it("says what was done with it", async () => {
    const map = mapOf({ ...MAP, text_post_lang: "lang" });
    expect(await warnings("created,body\n2026-01-31,x\n", { map: mapOf(MAP) })).toEqual([]);
    expect(
      await warnings("created,body,lang,text_of_pots,,body\n3/4/2026,a,en,x,,y\n3/5/2026,b,pt_BR,x,,y\n3/6/2026,c\n", {
        map,
      }),
    ).toEqual([
      "Columns that are not used: text_of_pots (did you mean text_of_post?), the nameless 5. A map can name them.",
      "Columns that stand more than once in the header, and of which the first is read: body.",
      "Row 2 has 3/4/2026, which is read as 4 March 2026 (m/d/yyyy). So are 2 others. If it is 3 April 2026, state date_format=d/m/yyyy.",
      "Rows with fewer cells than the header, whose last columns count as empty: 4.",
      "text_post_lang: pt_BR is read as pt, from row 3 on.",
    ]);
  });

  it("does not call days ambiguous that another day of the file settles", async () => {
    expect(await warnings("created,body\n3/4/2026,a\n3/25/2026,b\n", { map: mapOf(MAP) })).toEqual([]);
  });

  it("leaves out a last row that is cut", async () => {
    const csv = "created,body,likes\n2026-01-31,The whole text,3\n2026-01-31,The who";
    const map = mapOf({ ...MAP, like_count: "likes" });
    const { postings, wrong } = await read(csv, { map });
    expect(postings).toHaveLength(1);
    expect(wrong.map(([row]) => row)).toEqual([3]);
    expect(await warnings(csv, { map })).toEqual([
      "The file breaks off in row 3, which is left out: it has 2 of 3 cells.",
    ]);
  });

  it("combines columns, splits lists, and files what has no key under more_info", async () => {
    const map = mapOf({
      ...MAP,
      text_of_post: { join: ["title", "body"] },
      social_url: { template: "https://example.com/{id}" },
      text_post_tags: "tags",
      text_post_tagged_users: "users",
      like_count: { first: ["likes", "score"] },
      view_count: "views",
      "more_info.flair": "flair",
      media_urls: "pictures",
    });
    const csv =
      "id,created,title,body,tags,users,likes,score,views,flair,pictures\n" +
      '7,2026-01-31,A title,A body,"a, b,","[""x""]",,-3,12.0,fresh,"https://a.example/1.png,https://a.example/2.png"\n' +
      ",2026-01-31,,A body,,,5,,,,\n";
    const { postings, wrong } = await read(csv, { map });
    expect(wrong).toEqual([]);
    expect(postings).toMatchObject([
      {
        text_of_post: "A title\n\nA body",
        social_url: "https://example.com/7",
        text_post_tags: ["a", "b"],
        text_post_tagged_users: ["x"],
        like_count: "-3",
        view_count: "12",
        more_info: { flair: "fresh" },
      },
      { text_of_post: "A body", like_count: "5" },
    ]);
    expect(postings[1]).not.toHaveProperty("social_url");
  });

  it("leaves wrong rows out and says why, by the row of a spreadsheet", async () => {
    const csv = "created,body,likes\n2026-01-31,a,1\nlater,b,1\n2026-01-31,c,many\n2026-01-31,d,1,2,3\n2026-01-31,e\n";
    const { postings, wrong } = await read(csv, { map: mapOf({ ...MAP, like_count: "likes" }) });
    expect(postings.map(({ text_of_post }) => text_of_post)).toEqual(["a", "e"]);
    const fields = (violations: readonly FieldViolation[]) => violations.map(({ field }) => field);
    expect(wrong.map(([row, violations]) => [row, fields(violations)])).toEqual([
      [3, ["posted_at"]],
      [4, ["like_count"]],
      [5, [""]],
    ]);
  });

  it("continues after quotation marks that are not doubled, as PHP writes them", async () => {
    const { postings } = await read('created,body\n2026-01-31,"he said \\"no\\", twice"\n2026-01-31,next\n', {
      map: mapOf(MAP),
    });
    expect(postings.at(-1)).toMatchObject({ text_of_post: "next" });
  });

  it.each([
    [{ ...MAP, text_of_post: "bdy" }, ["map.text_of_post"], /Did you mean body\?/],
    [{ text_of_post: "body" }, ["map.platform", "map.posted_at"], /created, body/],
    [{ ...MAP, like_count: { first: ["likes", "score"] } }, ["map.like_count"], /Give one of these/],
  ])("does not fit the map %j", async (map, fields, message) => {
    const { violations } = await refusal("created,body\n2026-01-31,a\n", { map: mapOf(map) });
    expect(violations.map(({ field }) => field)).toEqual(fields);
    expect(violations[0]?.message).toMatch(message);
  });

  it.each([
    ["nothing", "", /empty/],
    ["nothing but empty lines", "\r\n".repeat(100), /empty/],
    ["another encoding", Buffer.from([0x61, 0xff, 0x0a]), /UTF-8/],
    ["a cell that never ends", 'created,body\n2026-01-31,"a\nb', /quotation mark/],
    ["a row of more than a mebibyte", `created,body\n2026-01-31,${"x".repeat(1_100_000)}\n`, /larger/],
  ])("is refused when it holds %s", async (_what, csv, message) => {
    expect((await refusal(csv, { map: mapOf(MAP) })).message).toMatch(message);
  });
});

describe("a CSV file of any bytes", () => {
  const map = mapOf(MAP);

  it.each([
    ["sep=;\n", ";"],
    ["\ufeffsep=;\r\n", ";"],
    ['"sep=;"\r', ";"],
    ["SEP=\t\n", "\t"],
    ["sep=,\r\n", ","],
    ["sep=|\n", "|"],
  ])("has the separator that its first line %j names", async (line, separator) => {
    const end = line.endsWith("\r\n") ? "\r\n" : line.slice(-1);
    const rows = [
      ["created", "body", "a;b,c"],
      ["2026-01-31", "first", "x"],
      ["never", "second", "y"],
    ];
    const csv = line + rows.map((cells) => cells.map((cell) => `"${cell}"`).join(separator)).join(end);
    const { postings, wrong } = await read(csv, { map });
    expect(postings).toMatchObject([{ text_of_post: "first" }]);
    expect(wrong.map(([row]) => row)).toEqual([3]);
  });

  it("numbers rows as a spreadsheet does, empty lines included", async () => {
    const csv = `\n\ncreated,body\n\n\nnever,"a\n\nb"\n${"\n".repeat(100_000)}never,c`;
    expect((await read(csv, { map })).wrong.map(([row]) => row)).toEqual([6, 100_007]);
  });

  it("is read with rows that end in line feeds, carriage returns, or both at once", async () => {
    const lines = ["created,body", '2026-01-31,"a"', "2026-01-31,b", ""];
    for (const end of ["\n", "\r", "\r\n"]) {
      const { postings } = await read(lines.join(end), { map });
      expect(postings.map(({ text_of_post: text }) => text)).toEqual(["a", "b"]);
    }
    const { postings } = await read('created,body\r\n2026-01-31,a\rb\n2026-01-31,"c"\n2026-01-31,d', { map });
    expect(postings.map(({ text_of_post: text }) => text)).toEqual(["a\rb", "c", "d"]);
  });

  it("costs no more for rows of separators or quotation marks, however many", async () => {
    const many = 1_048_000;
    const csv = ["created,body", ",".repeat(many), '"'.repeat(many), "2026-01-31,x"].join("\n");
    const { postings, wrong } = await read(csv, { map });
    expect(postings).toMatchObject([{ text_of_post: "x" }]);
    expect(wrong).toMatchObject([
      [2, [{ message: `Give 2 cells as in the header: this row has ${many + 1}. Quote cells with separators.` }]],
      [3, [{ field: "posted_at" }]],
    ]);
  });

  it("keeps the cells of the header only", () => {
    const scanner = new RowScanner({ delimiter: ",", endsAtReturn: false }, 1);
    scanner.columns = 2;
    const rows = [...scanner.rows(Buffer.from("a,b,c,d\n"))];
    expect(rows.map((row) => [row.cells, ...[0, 1, 2, 3].map((index) => row.cell(index))])).toEqual([
      [4, "a", "b", "", ""],
    ]);
  });

  it("has the rows that other readers find, in whatever pieces it arrives", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", "é", "🦅", '"', ",", "\n", "\r", " "), maxLength: 5 });
    const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
    const end = fc.constantFrom("\n", "\r", "\r\n");
    fc.assert(
      fc.property(rows, end, fc.boolean(), fc.integer({ min: 1, max: 9 }), (given, end, endsInLine, size) => {
        const csv = given.map((cells) => cells.map(toQuoted).join(",")).join(end) + (endsInLine ? end : "");
        const options = { relax_column_count: true, skip_empty_lines: true, record_delimiter: end };
        expect(scanned(csv, { endsAtReturn: end === "\r", size })).toEqual(parse(csv, options));
      }),
    );
  });

  const toQuoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  function scanned(csv: string, { endsAtReturn, size }: { endsAtReturn: boolean; size: number }): string[][] {
    const scanner = new RowScanner({ delimiter: ",", endsAtReturn }, 1);
    const bytes = Buffer.from(csv);
    const rows: CsvRow[] = [];
    for (let start = 0; start < bytes.length; start += size) {
      rows.push(...scanner.rows(bytes.subarray(start, start + size)));
    }
    const last = scanner.end();
    return [...rows, ...(last === undefined ? [] : [last])].map((row) =>
      Array.from({ length: row.cells }, (_, index) => row.cell(index)),
    );
  }

  it("makes no posting of more than a few mebibytes, however often a map names its cells", async () => {
    const sources = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`more_info.n${index}`, "body"]));
    const csv = `created,body\n2026-01-31,${"x".repeat(1_000_000)}\n2026-01-31,y\n`;
    const { postings, wrong } = await read(csv, { map: mapOf({ ...MAP, ...sources }) });
    expect(postings).toHaveLength(1);
    expect(wrong).toMatchObject([
      [2, [{ message: expect.stringContaining("at most 4,194,304 characters") as string }]],
    ]);
  });

  it("shows no more of a header than fits on a page", async () => {
    const csv = `${"x".repeat(500_000)},${"y".repeat(500_000)}\n`;
    const { violations } = await refusal(csv, { map: mapOf({ ...MAP, view_count: "v", like_count: "w" }) });
    expect(violations.length).toBeGreaterThan(1);
    expect(JSON.stringify(violations).length).toBeLessThan(5_000);
  });

  it("leaves out rows with rounded ids, and those that would overwrite another one", async () => {
    const csv =
      "id,created,body\n1.23457E+18,2026-01-31,trams\n1294030472427830000,2026-01-31,buses\n" +
      "1294030472427830000,2026-01-31,ferries\n1294030472427830000,2026-01-31,buses\n";
    const { postings, wrong } = await read(csv, { map: mapOf({ ...MAP, social_id: "id" }) });
    expect(postings.map(({ text_of_post: text }) => text)).toEqual(["buses", "buses"]);
    expect(wrong.map(([row, violations]) => [row, violations[0]?.field])).toEqual([
      [2, "social_id"],
      [4, "social_id"],
    ]);
  });
});

describe("a column map", () => {
  it.each([
    [[], ["map"]],
    [{ text: "body" }, ["map.text"]],
    [{ text_of_post: 5 }, ["map.text_of_post"]],
    [{ text_of_post: { columns: "a" } }, ["map.text_of_post"]],
    [{ posted_at: { column: "a", format: "y/y" } }, ["map.posted_at.format"]],
    [{ sentiments: "mood" }, ["map.sentiments"]],
    [{ text_of_post: { template: "{a}".repeat(21) } }, ["map.text_of_post.template"]],
  ])("%j is refused", (value, fields) => {
    const violations: Violations = [];
    readColumnMap(value, "map", violations);
    expect(violations.map(({ field }) => field)).toEqual(fields);
  });
});

describe("a preset", () => {
  it.each([
    ["1/31/2026", "23:59:09", "2026-02-01T00:00:00Z", "1/31/2026 23:59:09"],
    ["", "", "2026-01-31T23:59:09Z", "1/31/2026 23:59:09"],
    ["1/31/2026", "", "2026-01-31T23:59:09Z", "1/31/2026 23:59:09"],
    ["1/31/2026", "23:59:09", "", "1/31/2026 23:59:09"],
  ])(
    "reads the time of our own export from %j and %j, and from %j where one is missing",
    async (day, time, whole, expected) => {
      const csv = `platform,text_of_post,post_date,post_time,posted_at\nreddit,x,${day},${time},${whole}\n`;
      const notes = new ImportNotes();
      const { postings } = await read(csv, { preset: "hourglass", notes });
      expect(postings.map(({ post_date, post_time }) => [post_date, post_time].join(" "))).toEqual([expected]);
      expect(notes.warnings).toEqual([]);
    },
  );

  it("reads the time of our own export whose date or time has been removed", async () => {
    const csv = "platform,text_of_post,post_date,posted_at\nreddit,x,1/31/2026,2026-01-31T23:59:09Z\n";
    const { postings } = await read(csv, { preset: "hourglass" });
    expect(postings).toMatchObject([{ post_date: "1/31/2026", post_time: "23:59:09" }]);
  });

  it("reads our own export, formula-safe cells and lists included", async () => {
    const csv =
      "insight_search_id,platform,post_date,post_time,text_of_post,text_post_tags,like_count,more_info,sentiments\r\n" +
      `4,news,1/31/2026,10:20:30,'=1+1,"a, b",'-5,"{""a"":1}",joy\r\n`;
    expect(await read(csv, { preset: "hourglass" })).toEqual({
      postings: [
        {
          platform: "news",
          post_date: "1/31/2026",
          post_time: "10:20:30",
          text_of_post: "=1+1",
          text_post_tags: ["a", "b"],
          like_count: "-5",
          more_info: { a: 1 },
        },
      ],
      wrong: [],
    });
  });

  it("reads files of 4CAT, once the map tells the platform", async () => {
    const csv =
      "id,thread_id,timestamp,unix_timestamp,link,subject,body,author,author_fullname,author_id,language_guess,retweet_count,reply_count,like_count,quote_count,impression_count,hashtags,mentions\n" +
      '17,17,2026-01-31 10:20:30,1769854830,https://x.com/a/status/17,,Kestrels,ada,Ada Example,5,en,1,2,3,4,500,"kestrel,birds",bob\n';
    const { postings, wrong } = await read(csv, { preset: "4cat", map: mapOf({ platform: { value: "twitter" } }) });
    expect(wrong).toEqual([]);
    expect(postings).toEqual([
      {
        platform: "twitter",
        social_id: "17",
        social_url: "https://x.com/a/status/17",
        post_date: "1/31/2026",
        post_time: "10:20:30",
        text_of_post: "Kestrels",
        text_post_lang: "en",
        text_post_tagged_users: ["bob"],
        text_post_tags: ["kestrel", "birds"],
        share_count: "1",
        like_count: "3",
        comment_count: "2",
        share_with_comment_count: "4",
        view_count: "500",
        author_id: "5",
        author_username: "ada",
        author_name: "Ada Example",
        more_info: { thread_id: "17" },
      },
    ]);
    const { violations } = await refusal(csv, { preset: "4cat" });
    expect(violations.map(({ field }) => field)).toEqual(["map.platform"]);
  });

  it("reads videos and comments of YouTube Data Tools", async () => {
    const videos =
      "position,channelId,channelTitle,videoId,publishedAt,videoTitle,videoDescription,tags,duration,latitude,longitude,viewCount,likeCount,commentCount\n" +
      '1,UC1,Ada,v1,2026-01-31T10:20:30Z,A title,A text,"a,b",PT3M,53.8,-1.5,10,2,1\n';
    expect((await read(videos, { preset: "youtube-data-tools" })).postings).toMatchObject([
      {
        platform: "youtube-videos",
        social_id: "v1",
        social_url: "https://www.youtube.com/watch?v=v1",
        text_of_post: "A title\n\nA text",
        geo_coordination: "-1.5,53.8",
        view_count: "10",
        more_info: { duration: "PT3M" },
      },
    ]);
    const comments =
      "id,replyCount,likeCount,publishedAt,authorName,text,authorChannelId,authorChannelUrl,isReply,isReplyToId,isReplyToName\n" +
      "c1,1,2,2026-01-31 10:20:30,@ada,Good,UC2,http://a.example,0,,\n";
    expect((await read(comments, { preset: "youtube-data-tools" })).postings).toMatchObject([
      { platform: "youtube-comments", social_id: "c1", author_id: "UC2", comment_count: "1" },
    ]);
    const other = await refusal("a,b\n1,2\n", { preset: "youtube-data-tools" });
    expect(other.violations).toMatchObject([{ field: "preset" }]);
  });
});
