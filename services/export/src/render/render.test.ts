import { EXPORTED_KEYS } from "@hourglass/posting";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { createHash } from "node:crypto";
import { repeats } from "@hourglass/runtime/testing";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, describe, expect, it } from "vitest";
import {
  RENDERED_FORMATS,
  renderExport,
  type RenderOptions,
  rewriteExport,
  type Sinks,
  startExportThread,
} from "./render.js";
import { hostilePosting, inBatches, posting } from "./testing/postings.js";
import { BUILT, encoded, MemoryFiles } from "./testing/memory-files.js";

const NAMES = ["kestrel", "osprey", "merlin", "goshawk"];
const OPTIONS: RenderOptions = { worker: BUILT };

const POSTINGS = Array.from({ length: 500 }, (_, index) =>
  posting({
    platform: index % 2 === 0 ? Platform.REDDIT : Platform.NEWS,
    socialId: `s${index}`,
    textOfPost: `Kestrel ${index} `.repeat(100),
    author: { authorId: `a${index % 10}` },
    moreInfoJson: '{"author_id":"a3","platform":"news"}',
  }),
);

async function rendered(postings: readonly Posting[], batch = 50) {
  const memory = new MemoryFiles();
  return { memory, ...(await renderExport(inBatches(postings, batch), memory.sinks, OPTIONS)) };
}

describe("rendering an export", () => {
  it("writes the same postings in all formats, in the given order, and tells size and hash of each file", async () => {
    const { memory, rows, files } = await rendered(POSTINGS);
    const ids = POSTINGS.map(({ socialId }) => socialId);
    expect(rows).toBe(POSTINGS.length);
    const lines = memory.of("ndjson").toString().trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { social_id: string }).social_id)).toEqual(ids);
    const table = parse(memory.of("csv"), { columns: true }) as unknown as { social_id: string }[];
    expect(table.map((row) => row.social_id)).toEqual(ids);
    const objects = await parquetReadObjects({ file: new Uint8Array(memory.of("parquet")).buffer });
    expect(objects.map((row) => row["social_id"] as string)).toEqual(ids);
    for (const format of ["ndjson", "csv", "parquet"] as const) {
      const bytes = memory.of(format);
      expect(files[format]).toEqual({ bytes: bytes.length, tag: createHash("sha256").update(bytes).digest("hex") });
    }
  });

  it("gives the same bytes for the same postings, however they arrive", async () => {
    expect((await rendered(POSTINGS, 1)).files).toEqual((await rendered(POSTINGS, 400)).files);
  });

  it("makes files without postings: a header, no line, and columns without rows", async () => {
    const { memory, rows } = await rendered([]);
    expect(rows).toBe(0);
    expect(memory.of("ndjson")).toHaveLength(0);
    expect(memory.of("csv").toString()).toBe(`${EXPORTED_KEYS.join(",")}\r\n`);
    expect(memory.of("parquet")).toEqual(await encoded([], { format: "parquet", columns: EXPORTED_KEYS }));
  });

  it("tells how far it is", async () => {
    const told: number[] = [];
    await renderExport(inBatches(POSTINGS), new MemoryFiles().sinks, { ...OPTIONS, onRows: (rows) => told.push(rows) });
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toBe(POSTINGS.length);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  });

  it("takes no more postings than the sinks have room for", async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Posting[]> {
      for (; taken < 100_000; taken += 50) {
        await Promise.resolve();
        yield POSTINGS.slice(0, 50);
      }
    }
    const unread = async () => {
      for (let before = -1; before !== taken;) {
        before = taken;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error("closed");
    };
    const sinks: Sinks = { ...new MemoryFiles().sinks, csv: unread };
    await expect(renderExport(endless(), sinks, OPTIONS)).rejects.toThrow("closed");
    expect(taken).toBeLessThan(10_000);
  });

  it.each(["ndjson", "csv", "parquet"] as const)("fails as a whole if %s cannot be stored", async (format) => {
    const memory = new MemoryFiles();
    const sinks: Sinks = { ...memory.sinks, [format]: () => Promise.reject(new Error("the disk is full")) };
    await expect(renderExport(inBatches(POSTINGS), sinks, OPTIONS)).rejects.toThrow("the disk is full");
    expect(memory.files.size).toBe(0);
  });

  it("stores nothing if the postings end in an error, or if it is called off", async () => {
    const memory = new MemoryFiles();
    async function* broken(): AsyncGenerator<Posting[]> {
      yield* inBatches(POSTINGS);
      throw new Error("the insight was deleted");
    }
    await expect(renderExport(broken(), memory.sinks, OPTIONS)).rejects.toThrow("the insight was deleted");
    const controller = new AbortController();
    const options = { ...OPTIONS, signal: controller.signal, onRows: () => controller.abort(new Error("enough")) };
    await expect(renderExport(inBatches(POSTINGS), memory.sinks, options)).rejects.toThrow("enough");
    expect(memory.files.size).toBe(0);
  });

  it("may be one of several in the same thread, of which some fail", async () => {
    const expected = (await rendered(POSTINGS)).files;
    const thread = startExportThread(BUILT);
    try {
      for (const failure of [undefined, new Error("the disk is full"), undefined]) {
        const memory = new MemoryFiles();
        const csv = failure === undefined ? memory.sinks.csv : () => Promise.reject(failure);
        const rendering = renderExport(inBatches(POSTINGS), { ...memory.sinks, csv }, { thread });
        if (failure === undefined) expect((await rendering).files).toEqual(expected);
        else await expect(rendering).rejects.toThrow(failure);
      }
    } finally {
      await thread.close();
    }
  });
});

describe("rewriting an export", () => {
  const ERASED = [
    { platform: Platform.NEWS, by: "author_id", value: "a3" },
    { platform: Platform.REDDIT, by: "author_id", value: "a5" },
    { platform: Platform.REDDIT, by: "social_id", value: "s4" },
  ] as const;
  const KEPT = POSTINGS.filter(({ platform, socialId, author }) => {
    return !(platform === Platform.NEWS && author?.authorId === "a3") && socialId !== "s4";
  });

  const parquetOf = (memory: MemoryFiles) => parquetReadObjects({ file: new Uint8Array(memory.of("parquet")).buffer });

  it("leaves out a posting or all of an author, on their platform only, as if they had never been exported", async () => {
    const before = await rendered(POSTINGS);
    const memory = new MemoryFiles();
    const after = await rewriteExport(before.memory.lines(), ERASED, memory.sinks, OPTIONS);
    const expected = await rendered(KEPT);
    expect(after).toEqual({ rows: KEPT.length, files: expected.files });
    for (const format of RENDERED_FORMATS) expect(memory.of(format).equals(expected.memory.of(format))).toBe(true);
    expect(await parquetOf(memory)).toEqual(await parquetOf(expected.memory));
    const bytes = memory.of("parquet");
    expect(after.files.parquet).toEqual({
      bytes: bytes.length,
      tag: createHash("sha256").update(bytes).digest("hex"),
    });
  });

  it("may leave out all postings", async () => {
    const before = await rendered(POSTINGS.slice(0, 2));
    const memory = new MemoryFiles();
    const all = ["s0", "s1"].flatMap((value) =>
      [Platform.REDDIT, Platform.NEWS].map((platform) => ({ platform, by: "social_id", value }) as const),
    );
    expect((await rewriteExport(before.memory.lines(), all, memory.sinks, OPTIONS)).rows).toBe(0);
    const none = (await rendered([])).memory;
    for (const format of ["ndjson", "csv", "parquet"] as const) {
      expect(memory.of(format).equals(none.of(format))).toBe(true);
    }
  });

  const thread = startExportThread(BUILT);
  afterAll(() => thread.close());

  it("gives the files of the other postings, whatever the texts hold", async () => {
    const marked = fc.array(fc.tuple(hostilePosting, fc.boolean()), { maxLength: 12 });
    const gone = [{ platform: Platform.REDDIT, by: "social_id", value: "gone" }] as const;
    const property = fc.asyncProperty(marked, async (postings) => {
      const [before, after, expected] = [new MemoryFiles(), new MemoryFiles(), new MemoryFiles()];
      const all = postings.map(([each, isGone]) => (isGone ? { ...each, socialId: "gone" } : each));
      await renderExport(inBatches(all), before.sinks, { thread });
      const { rows } = await rewriteExport(before.lines(), gone, after.sinks, { thread });
      const kept = postings.flatMap(([each, isGone]) => (isGone ? [] : [each]));
      await renderExport(inBatches(kept), expected.sinks, { thread });
      expect(rows).toBe(kept.length);
      for (const format of RENDERED_FORMATS) expect(after.of(format).equals(expected.of(format))).toBe(true);
    });
    await fc.assert(property, { numRuns: repeats(60) });
  });

  it("leaves nothing of what only the erased postings held in any file, of several row groups as well", async () => {
    const all = Array.from({ length: 90 }, (_, index) =>
      posting({
        socialId: `s${index}`,
        textOfPost: `${NAMES[index % 4]} ${index} `.repeat(25_000),
        topics: ["field", NAMES[(index + 1) % 4] ?? ""],
        textPostLang: `xx-${NAMES[index % 4]?.toUpperCase()}`,
        author: { authorId: NAMES[index % 4] ?? "" },
      }),
    );
    const isKept = (index: number) => index % 4 === 0 || index % 4 === 1;
    const before = (await rendered(all)).memory;
    const erased = ["merlin", "goshawk"].map(
      (value) => ({ platform: Platform.REDDIT, by: "author_id", value }) as const,
    );
    const memory = new MemoryFiles();
    await rewriteExport(before.lines(), erased, memory.sinks, { thread });
    for (const format of RENDERED_FORMATS) {
      expect(before.of(format).includes("GOSHAWK")).toBe(true);
      expect(memory.of(format).includes("GOSHAWK")).toBe(false);
      expect(memory.of(format).includes("goshawk 3 ")).toBe(false);
    }
    const expected = (await rendered(all.filter((_, index) => isKept(index)))).memory;
    const groups = parquetMetadata(new Uint8Array(memory.of("parquet")).buffer).row_groups;
    expect(groups.length).toBeGreaterThan(1);
    expect(await parquetOf(memory)).toEqual(await parquetOf(expected));
    expect(memory.of("csv").equals(expected.of("csv"))).toBe(true);
  });

  it.each([
    ["CSV", "csv", (bytes: Buffer) => bytes.subarray(0, -2)],
    ["Parquet", "parquet", (bytes: Buffer) => bytes.subarray(0, -1)],
    ["Parquet of no rows", "parquet", () => Buffer.alloc(0)],
  ] as const)("renders %s again that is damaged", async (_, format, damaged) => {
    const before = await rendered(POSTINGS);
    before.memory.files.set(format, damaged(before.memory.of(format)));
    const memory = new MemoryFiles();
    const after = await rewriteExport(before.memory.lines(), ERASED, memory.sinks, OPTIONS);
    expect(after).toEqual({ rows: KEPT.length, files: (await rendered(KEPT)).files });
  });

  it.each(["ndjson", "csv", "parquet"] as const)("fails if %s cannot be stored", async (format) => {
    const before = await rendered(POSTINGS);
    const sinks: Sinks = {
      ...new MemoryFiles().sinks,
      [format]: () => Promise.reject(new Error("the disk is full")),
    };
    const rewriting = rewriteExport(before.memory.lines(), ERASED, sinks, OPTIONS);
    await expect(rewriting).rejects.toThrow("the disk is full");
  });
});
