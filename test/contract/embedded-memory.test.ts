import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openSqliteStore } from "@hourglass/runtime";
import { expect, it, onTestFinished } from "vitest";
import { freshFolder, numbersBelow, silent } from "./support.js";

interface Row {
  id: number;
  size: number;
  text: string;
}

const FEW = 10_000;
const MANY = 130_000;

/** Heap size after garbage collection; a context created after the flag is set has the gc function. */
function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

it("streams in constant memory, however many documents there are", async () => {
  const { folder, remove } = await freshFolder();
  onTestFinished(remove);
  const store = await openSqliteStore({ dataDir: folder, log: silent });
  onTestFinished(() => store.close());
  const rows = await store.collection<Row>({ name: "rows", indexes: [{ fields: ["size"] }] });
  const insert = (from: number, to: number) =>
    rows.insertMany(numbersBelow(to - from).map((n) => ({ id: from + n, size: -n, text: "t".repeat(200) })));
  const heapGrowth = async (): Promise<{ seen: number; most: number }> => {
    let [seen, most] = [0, 0];
    for await (const { id } of rows.stream({}, { sort: [["size", 1]] })) {
      if (id % 5000 === 0) most = Math.max(most, heapBytes());
      seen += 1;
    }
    // Relative to the heap afterwards, because older objects may be collected during the stream.
    return { seen, most: most - heapBytes() };
  };
  await insert(0, FEW);
  await heapGrowth(); // warms up compilation and caches
  const few = await heapGrowth();
  await insert(FEW, MANY);
  const many = await heapGrowth();
  expect([few.seen, many.seen]).toEqual([FEW, MANY]);
  // 120,000 row numbers alone would use 960,000 bytes more; what else a collection leaves varies by some 300,000.
  expect(many.most - few.most).toBeLessThan(600_000);
});
