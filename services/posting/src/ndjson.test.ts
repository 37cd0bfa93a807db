import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collect, inPieces } from "./testing/pieces.js";
import { readLines, readNdjson } from "./ndjson.js";

const LINE = JSON.stringify({
  platform: "reddit",
  post_date: "12/31/2025",
  post_time: "23:59:59",
  text_of_post: "x",
  social_id: "é",
});

describe("lines", () => {
  it("are the same whatever the pieces in which their bytes arrive, but for empty ones", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replaceAll(/\s/g, ""))),
      fc.integer({ min: 1, max: 7 }),
      async (texts, size) => {
        const lines = await collect(readLines(inPieces(Buffer.from(`${texts.join("\n")}\n`), size), 100));
        expect(lines.map(({ number, bytes }) => [number, Buffer.from(bytes ?? []).toString()])).toEqual(
          texts.map((text, index) => [index + 1, text]).filter(([, text]) => text !== ""),
        );
      },
    );
    await fc.assert(property, { numRuns: repeats(100) });
  });

  it("are held up to their limit, and those after a longer one are read", async () => {
    const lines = await collect(readLines(inPieces(Buffer.from("12345\n123456\n1"), 4), 5));
    expect(lines.map(({ bytes }) => (bytes === undefined ? "too long" : Buffer.from(bytes).toString()))).toEqual([
      "12345",
      "too long",
      "1",
    ]);
  });

  it("that are empty are skipped without one of them being made", async () => {
    const empty = Buffer.from("\n".repeat(1_000_000) + " \r\n\t\n".repeat(100_000));
    const lines = await collect(readLines(inPieces(Buffer.concat([empty, Buffer.from("x"), empty]), 65_536), 5));
    const [line] = lines.filter(
      ({ bytes }) =>
        Buffer.from(bytes ?? [])
          .toString()
          .trim() !== "",
    );
    expect(line).toMatchObject({ number: 1_200_001 });
    expect(lines.length).toBeLessThan(100); // those that two pieces share
  });
});

describe("JSON Lines", () => {
  it("are read with empty lines, line ends of Windows and a byte order mark", async () => {
    const rows = await collect(readNdjson(inPieces(Buffer.from(`\ufeff${LINE}\r\n\r\n\n${LINE}`), 10)));
    expect(rows).toMatchObject([
      { row: 1, posting: { socialId: "é" } },
      { row: 4, posting: { socialId: "é" } },
    ]);
  });

  it("report what is wrong with a line, and continue", async () => {
    const bytes = Buffer.concat([
      Buffer.from(`{\n7\n${LINE}\n`),
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from(`${"x".repeat(1_048_577)}\n{"platform":"reddit"}`),
    ]);
    const rows = await collect(readNdjson(inPieces(bytes, 65_536)));
    const wrong = rows.flatMap((row) => ("violations" in row ? [[row.row, row.violations]] : []));
    expect(rows).toHaveLength(6);
    expect(wrong).toMatchObject([
      [1, [{ field: "", message: "This line is not valid JSON: correct it at line 1, column 2." }]],
      [2, [{ field: "", message: "Give an object." }]],
      [4, [{ field: "", message: "This line is not valid UTF-8. Encode it in UTF-8." }]],
      [5, [{ field: "", message: "Give a line of at most 1,048,576 bytes." }]],
      [6, [{ field: "post_date" }, { field: "post_time" }]],
    ]);
  });

  it("without text and media are told from those that are wrong", async () => {
    const blank = JSON.stringify({ ...(JSON.parse(LINE) as object), text_of_post: " " });
    const rows = await collect(readNdjson(inPieces(Buffer.from(`${blank}\n{"platform":"reddit"}`), 100)));
    expect(rows.map((row) => ("isBlank" in row ? row.isBlank : false))).toEqual([true, false]);
  });

  it("are refused together for days that contradict the form of their key, unless another is stated", async () => {
    const lineOn = (date: string) =>
      JSON.stringify({ ...(JSON.parse(LINE) as object), social_id: date, post_date: date });
    const bytes = Buffer.from(`${lineOn("03/04/2026")}\n${lineOn("25/04/2026")}`);
    await expect(collect(readNdjson(inPieces(bytes, 100)))).rejects.toMatchObject({
      violations: [{ field: "date_format" }],
    });
    const rows = await collect(readNdjson(inPieces(bytes, 100), { dateFormat: "d/m/yyyy" }));
    expect(rows.every((row) => "posting" in row)).toBe(true);
  });

  const wrongOf = async (...lines: string[]) => {
    const rows = await collect(readNdjson(inPieces(Buffer.from(lines.join("\n")), 65_536)));
    return rows.flatMap((row) => ("violations" in row ? [[row.row, row.violations[0]]] : []));
  };

  it.each([
    ["values", `{"a":[${"{},".repeat(340_000)}1]}`],
    ["values", `[${"0,".repeat(500_000)}`],
    ["levels", `{"more_info":{"a":${"[".repeat(5000)}${"]".repeat(5000)}}}`],
    ["levels", "[".repeat(1_000_000)],
  ])("with more %s than any posting has are not parsed", async (what, line) => {
    const message = expect.stringMatching(new RegExp(`^Give JSON with at most [\\d,]+ ${what}`)) as string;
    expect(await wrongOf(line, LINE)).toEqual([[1, { field: "", message }]]);
  });

  it("keep all digits of ids, counts and notes that a number cannot hold", async () => {
    const line = LINE.replace(
      '"é"',
      '1294030472427831303,"like_count":9007199254740993,"more_info":{"id":-12345678901234567890,"n":9007199254740991}',
    );
    expect(await collect(readNdjson(inPieces(Buffer.from(line), 100)))).toMatchObject([
      {
        posting: {
          socialId: "1294030472427831303",
          counts: { likeCount: 9_007_199_254_740_993n },
          moreInfoJson: '{"id":"-12345678901234567890","n":9007199254740991}',
        },
      },
    ]);
  });

  it.each(["social_id", "author_id", "place_id"])("with a rounded %s are wrong, and say what to do", async (key) => {
    const posting = JSON.parse(LINE) as object;
    for (const id of ["1.23457E+18", "1,23457E+18", " 1e+18"]) {
      const line = JSON.stringify({ ...posting, [key]: id });
      expect(await wrongOf(line)).toMatchObject([
        [1, { field: key, message: expect.stringContaining("has rounded it") as string }],
      ]);
    }
    for (const id of ["1e5", "9e10x", "1E-1234567", 42]) {
      expect(await wrongOf(JSON.stringify({ ...posting, [key]: id }))).toEqual([]);
    }
  });

  it.each(["social_id", "social_url"])("that share a %s are wrong if their texts or times differ", async (key) => {
    const copy = (values: object) =>
      JSON.stringify({ ...(JSON.parse(LINE) as object), social_id: null, [key]: "1294030472427830000", ...values });
    const lines = [
      copy({ text_of_post: "trams" }),
      copy({ text_of_post: "trams", like_count: 2 }),
      copy({ text_of_post: "buses" }),
      copy({ text_of_post: "trams", post_time: "00:00:00" }),
      copy({ text_of_post: "buses", platform: "news" }),
    ];
    expect(await wrongOf(...lines)).toMatchObject([
      [3, { field: key, message: expect.stringMatching(/^Row 1 has the same/) as string }],
      [4, { field: key }],
    ]);
  });
});
