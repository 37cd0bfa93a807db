import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collect, inPieces } from "../testing/pieces.js";
import { readLines } from "./lines.js";
import { readNdjson } from "./ndjson.js";

const LINE = JSON.stringify({ platform: "reddit", post_date: "12/31/2025", post_time: "23:59:59", social_id: "é" });

describe("lines", () => {
  it("are the same whatever the pieces in which their bytes arrive", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replaceAll("\n", ""))),
      fc.integer({ min: 1, max: 7 }),
      async (texts, size) => {
        const lines = await collect(readLines(inPieces(Buffer.from(`${texts.join("\n")}\n`), size), 100));
        expect(lines.map(({ bytes }) => Buffer.from(bytes ?? []).toString())).toEqual(
          texts.length === 0 ? [""] : texts,
        );
        expect(lines.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 1));
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });

  it("are held up to their limit, and those after a longer one are read", async () => {
    const lines = await collect(readLines(inPieces(Buffer.from("12345\n123456\n1"), 4), 5));
    expect(lines.map(({ bytes }) => (bytes === undefined ? "too long" : Buffer.from(bytes).toString()))).toEqual([
      "12345",
      "too long",
      "1",
    ]);
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

  it("report what is wrong with a line, and go on", async () => {
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
});
