import { DEFAULT_PRESET, readCsv, readNdjson } from "@hourglass/posting";
import { describe, expect, it } from "vitest";
import { inTurns, readRows } from "./posting-import.js";

const MEBIBYTE = 1_048_576;
const HEADER = "platform,post_date,post_time\n";

/** Bodies that once cost far more time than their bytes, as NDJSON and as CSV. */
const BODIES = [
  ["line feeds", "\n".repeat(3 * MEBIBYTE)],
  ["lines of spaces", " \r\n".repeat(MEBIBYTE)],
  ["byte order marks", "\ufeff\n".repeat(MEBIBYTE / 4)],
  ["separators", `${HEADER}${`${",".repeat(MEBIBYTE - 10)}\n`.repeat(3)}`],
  ["rows of two separators", `${HEADER}${",,\n".repeat(9000)}`],
  ["quotation marks", `${HEADER}${`${'"'.repeat(MEBIBYTE - 10)}\n`.repeat(3)}`],
  ["columns without names", `${",".repeat(MEBIBYTE - 10)}\n`],
  ["carriage returns", "\r".repeat(3 * MEBIBYTE)],
  ["brackets", `${"[".repeat(MEBIBYTE - 10)}\n`.repeat(3)],
  ["empty objects", `[${"{},".repeat(MEBIBYTE / 4)}\n`.repeat(3)],
] as const;

describe("the body of an import", () => {
  it.each(BODIES)("of %s is read in many steps with little work each", async (_what, text) => {
    const body = Buffer.from(text);
    for (const read of [
      (chunks: AsyncIterable<Uint8Array>) => readNdjson(chunks),
      (chunks: AsyncIterable<Uint8Array>) => readCsv(chunks, { preset: DEFAULT_PRESET }),
    ]) {
      let [steps, bytes, most] = [0, 0, 0];
      const step = () => {
        steps++;
        bytes = 0;
        return Promise.resolve();
      };
      const counted = async function* () {
        for await (const piece of inTurns([body], step)) {
          bytes += piece.length;
          most = Math.max(most, bytes);
          yield piece;
        }
      };
      await readRows(read(counted()), { leaveOut: "wrong", named: "rows" }, step).catch(() => undefined);
      expect(most).toBeLessThanOrEqual(16_384);
      expect(steps).toBeGreaterThan(0);
    }
  });

  it("leaves any number of wrong rows out, and explains the first thousand", async () => {
    const csv = `${HEADER}${",,\n".repeat(5000)}`;
    const step = () => Promise.resolve();
    const read = await readRows(
      readCsv(inTurns([Buffer.from(csv)], step), { preset: DEFAULT_PRESET }),
      { leaveOut: "wrong", named: "rows" },
      step,
    );
    expect([read.skipped, read.leftOut.length, read.postings.length]).toEqual([5000, 1000, 0]);
  });
});
