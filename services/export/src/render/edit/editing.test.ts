import { POSTING_KEYS } from "@hourglass/posting";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import fc from "fast-check";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { fromBlock } from "../blocks.js";
import { parquetColumns, parquetSchema } from "../encode/parquet-schema.js";
import { toLine } from "../lines.js";
import { hostilePosting, posting } from "../testing/postings.js";
import { collected, encoded, inPieces } from "../testing/render.js";
import { withoutCsvRows } from "./csv-rows.js";
import { closeParquet, editGroup, keepGroup, openParquet } from "./parquet-edits.js";
import { withoutParquetRows } from "./parquet-rows.js";

/** Postings, each with whether it is to be dropped. */
const marked = fc.array(fc.tuple(hostilePosting, fc.boolean()), { maxLength: 12 });

function split(postings: readonly (readonly [Posting, boolean])[]) {
  return {
    all: postings.map(([each]) => each),
    kept: postings.flatMap(([each, isDropped]) => (isDropped ? [] : [each])),
    dropped: postings.flatMap(([, isDropped], index) => (isDropped ? [index] : [])),
  };
}

describe("CSV without some rows", () => {
  const csv = (postings: readonly Posting[]) => encoded(postings, { format: "csv", columns: POSTING_KEYS });

  it("is the CSV of the other postings, whatever the texts hold and however the bytes arrive", async () => {
    const property = fc.asyncProperty(marked, fc.integer({ min: 1, max: 500 }), async (postings, size) => {
      const { all, kept, dropped } = split(postings);
      const edited = withoutCsvRows(inPieces(await csv(all), size), { dropped, rows: all.length });
      expect((await collected(edited)).toString()).toBe((await csv(kept)).toString());
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it("keeps line ends alone outside of quotes, as older files have them", async () => {
    const bytes = Buffer.from("a,b\r\n1\n,2\r\n\r3,4\n\r\n5,6\r\n");
    const edited = await collected(withoutCsvRows(inPieces(bytes, 3), { dropped: [1], rows: 3 }));
    expect(edited.toString()).toBe("a,b\r\n1\n,2\r\n5,6\r\n");
  });

  it("is refused if the rows are not as many as said", async () => {
    const edited = withoutCsvRows(inPieces(Buffer.from("a\r\n1\r\n2\r\n"), 3), { dropped: [0], rows: 3 });
    await expect(collected(edited)).rejects.toThrow("2 rows, not 3");
  });
});

describe("Parquet without some rows", () => {
  const thread = {
    openParquet: async (footer: Uint8Array) => openParquet(footer),
    keepGroup: async (index: number) => keepGroup(index),
    editGroup: async (edit: Parameters<typeof editGroup>[0]) => editGroup(edit),
    closeParquet: async () => closeParquet(),
  };

  /** A file with small row groups, of pages of some bytes. */
  function written(postings: readonly Posting[], rowGroupSize: number, pageSize = 1_000_000): Buffer {
    const columns = parquetColumns(POSTING_KEYS);
    const bytes = new ByteWriter();
    const writer = new ParquetWriter({ writer: bytes, schema: parquetSchema(columns), createdBy: "hourglass" });
    const rows = fromBlock(Buffer.from(postings.map(toLine).join("")));
    const columnData = columns.map(({ name, read, statistics }) => {
      return { name, data: rows.map(read), statistics, offsetIndex: false };
    });
    void writer.write({ columnData, rowGroupSize, pageSize });
    void writer.finish();
    return Buffer.from(bytes.getBytes());
  }

  function edited(file: Buffer, dropped: readonly number[], rows: number): Promise<Buffer> {
    const read = (_: unknown, { start, end }: { start: number; end?: number } = { start: 0 }) =>
      inPieces(file.subarray(start, end), 500);
    return collected(withoutParquetRows({ read, size: () => file.length }, { dropped, rows }, thread));
  }

  const read = (file: Buffer) => parquetReadObjects({ file: new Uint8Array(file).buffer });
  const metadata = (file: Buffer) => parquetMetadata(new Uint8Array(file).buffer);

  it("has the rows of the other postings, whatever the texts hold and however they are grouped", async () => {
    const property = fc.asyncProperty(
      marked,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 20, max: 500 }),
      async (postings, groupSize, pageSize) => {
        const { all, kept, dropped } = split(postings);
        const file = await edited(written(all, groupSize, pageSize), dropped, all.length);
        expect(await read(file)).toEqual(await read(written(kept, groupSize, pageSize)));
        expect(metadata(file).num_rows).toBe(BigInt(kept.length));
      },
    );
    await fc.assert(property, { numRuns: 20 });
  });

  it("has the same bytes if no row is dropped", async () => {
    const property = fc.asyncProperty(marked, fc.integer({ min: 1, max: 12 }), async (postings, groupSize) => {
      const { all } = split(postings);
      const file = written(all, groupSize);
      expect((await edited(file, [], all.length)).equals(file)).toBe(true);
    });
    await fc.assert(property, { numRuns: 10 });
  });

  const NAMES = ["kestrel", "osprey", "merlin", "goshawk"];
  const AUTHORS = Array.from({ length: 60 }, (_, index) =>
    posting({
      socialId: `s${index}`,
      author: { authorId: NAMES[index % 4] ?? "" },
      topics: ["field", NAMES[(index + 1) % 4] ?? ""],
      textPostLang: `xx-${NAMES[index % 4]?.toUpperCase()}`,
      counts: { likeCount: BigInt(index % 4), viewCount: BigInt(index) },
    }),
  );
  const OF_AUTHOR_3 = AUTHORS.flatMap((_, index) => (index % 4 === 3 ? [index] : []));

  it("states the statistics and sizes of what is left", async () => {
    const kept = AUTHORS.filter((_, index) => index % 4 !== 3);
    const file = await edited(written(AUTHORS, 1000), OF_AUTHOR_3, AUTHORS.length);
    const statistics = (of: Buffer) =>
      metadata(of).row_groups.flatMap(({ columns }) =>
        columns.map(({ meta_data: meta }) => [meta?.path_in_schema, meta?.statistics, meta?.num_values]),
      );
    expect(statistics(file)).toEqual(statistics(written(kept, 1000)));
    const [group] = metadata(file).row_groups;
    const sizes = group?.columns.map(({ meta_data: meta }) => meta?.total_compressed_size ?? 0n) ?? [];
    expect(group?.total_compressed_size).toBe(sizes.reduce((sum, size) => sum + size, 0n));
  });

  it("has the rows of the others in columns of several pages and with values that repeat", async () => {
    const all = Array.from({ length: 400 }, (_, index) =>
      posting({ socialId: `s${index}`, textOfPost: `Kestrel ${index % 13} over the field. `.repeat(index % 30) }),
    );
    for (const isDropped of [(index: number) => index % 40 === 7, (index: number) => index % 3 === 0]) {
      const dropped = all.flatMap((_, index) => (isDropped(index) ? [index] : []));
      const file = await edited(written(all, 300, 20_000), dropped, all.length);
      const kept = all.filter((_, index) => !isDropped(index));
      expect(await read(file)).toEqual(await read(written(kept, 300)));
    }
  });

  it("holds no value any more that only they had", async () => {
    const before = written(AUTHORS, 1000);
    const file = await edited(before, OF_AUTHOR_3, AUTHORS.length);
    expect(before.includes("GOSHAWK")).toBe(true);
    expect(file.includes("GOSHAWK")).toBe(false);
  });

  it("passes on the row groups that lose no row as they are", async () => {
    const before = written(AUTHORS, 20);
    const file = await edited(before, [25], AUTHORS.length);
    const groups = (of: Buffer) =>
      metadata(of).row_groups.map(({ columns: [first], total_compressed_size: size }) => {
        const { dictionary_page_offset: dictionary, data_page_offset: data = 0n } = first?.meta_data ?? {};
        const start = Number(dictionary ?? data);
        return of.subarray(start, start + Number(size));
      });
    const [old, now] = [groups(before), groups(file)];
    expect(now.map((bytes, index) => bytes.equals(old[index] ?? Buffer.alloc(0)))).toEqual([true, false, true]);
  });

  it("is refused if the rows are not as many as said", async () => {
    await expect(edited(written(AUTHORS, 20), [1], 61)).rejects.toThrow("60 rows, not 61");
  });
});
