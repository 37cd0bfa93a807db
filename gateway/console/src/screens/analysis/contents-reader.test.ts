import { describe, expect, it } from "vitest";
import type { ContentResult } from "../../data/analyses.js";
import { ContentsReader } from "./contents-reader.js";

const content = (index: number): ContentResult => ({ index }) as ContentResult;

function readerUnderTest(
  pages: number,
  size = 2,
): { readonly reader: ContentsReader; readonly asked: (string | undefined)[]; fail: boolean } {
  const asked: (string | undefined)[] = [];
  const world = {
    asked,
    fail: false,
    reader: new ContentsReader(async (cursor) => {
      asked.push(cursor);
      if (world.fail) throw new Error("broken");
      const page = Number(cursor ?? "0");
      const contents = Array.from({ length: size }, (_, at) => content(page * size + at));
      return Promise.resolve({ contents, next: page + 1 < pages ? String(page + 1) : null });
    }),
  };
  return world;
}

describe("ContentsReader", () => {
  it("reads no more pages than are wanted", async () => {
    const { reader, asked } = readerUnderTest(5);
    await reader.read(3);
    expect(asked).toEqual([undefined, "1"]);
    expect(reader.results.value.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(reader.isComplete).toBe(false);
  });

  it("reads each page once, however often it is wanted at the same time", async () => {
    const { reader, asked } = readerUnderTest(3);
    await Promise.all([reader.read(1), reader.read(6), reader.read(2)]);
    expect(asked).toEqual([undefined, "1", "2"]);
    expect(reader.isComplete).toBe(true);
  });

  it("tells a failure, and continues from there", async () => {
    const world = readerUnderTest(2);
    await world.reader.read(1);
    world.fail = true;
    await world.reader.read(4);
    expect(world.reader.error.value).toBeInstanceOf(Error);
    world.fail = false;
    await world.reader.read(4);
    expect(world.reader.error.value).toBeUndefined();
    expect(world.reader.results.value).toHaveLength(4);
  });
});
