import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openSqliteStore } from "@hourglass/runtime";
import { expect, it, onTestFinished } from "vitest";
import { freshFolder, numbersBelow, silent } from "./support.js";

const WRITER = fileURLToPath(new URL("../dist/contract/crash-writer.js", import.meta.url));
const ROUNDS = 4;

type Acknowledged = Record<"item" | "pair" | "commit" | "counter" | "numbered", Set<string>>;

/** Runs the writer, kills it after `lines` reported writes, and collects all reports. */
async function writeAndKill(dataDir: string, round: number, acknowledged: Acknowledged): Promise<void> {
  const lines = 60 + round * 37;
  const writer = spawn(process.execPath, [WRITER, dataDir, String(round)], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(writer, "exit");
  let told = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    const [kind, value] = line.split(" ") as [keyof Acknowledged, string];
    // The set would hide a number issued twice, also by different processes.
    if (kind === "counter" || kind === "numbered") expect(acknowledged[kind].has(value)).toBe(false);
    acknowledged[kind].add(value);
    told += 1;
    if (told === lines) writer.kill("SIGKILL");
  }
  expect(await ended).toEqual([null, "SIGKILL"]);
}

it("keeps every acknowledged write, whole, of processes that were killed while writing", async () => {
  const { folder, remove } = await freshFolder();
  onTestFinished(remove);
  const acknowledged: Acknowledged = {
    item: new Set(),
    pair: new Set(),
    commit: new Set(),
    counter: new Set(),
    numbered: new Set(),
  };
  for (const round of numbersBelow(ROUNDS)) await writeAndKill(folder, round, acknowledged);
  expect(acknowledged.item.size).toBeGreaterThan(ROUNDS * 15);

  const store = await openSqliteStore({ dataDir: folder, log: silent });
  onTestFinished(() => store.close());
  const items = await store.collection<{ id: string; text: string }>({ name: "items" });
  const found = await items.find({});
  const ids = new Set(found.map(({ id }) => id));
  expect([...acknowledged.item].filter((id) => !ids.has(id))).toEqual([]);
  expect([...acknowledged.pair].filter((id) => !ids.has(`${id}-a`))).toEqual([]);
  // Also for pairs that were not acknowledged: both or none.
  const halves = (half: string): string[] => [...ids].filter((id) => id.endsWith(half)).map((id) => id.slice(0, -2));
  expect(halves("-a").toSorted()).toEqual(halves("-b").toSorted());
  expect([...acknowledged.commit].filter((id) => !ids.has(`${id}-c`))).toEqual([]);
  expect(halves("-c").toSorted()).toEqual(halves("-d").toSorted());
  const tallies = await store.collection<{ id: string; commits: number }>({ name: "tallies" });
  expect((await tallies.get("all"))?.commits).toBe(halves("-c").length);
  expect(found.every(({ text }) => text.length === 2000)).toBe(true);
  expect(acknowledged.counter.has(String(await store.nextId("things")))).toBe(false);

  const numbered = await store.collection<{ id: number; text: string }>({ name: "numbered" });
  const numbers = new Set((await numbered.find({})).map(({ id }) => String(id)));
  expect([...acknowledged.numbered].filter((id) => !numbers.has(id))).toEqual([]);
  expect(numbers.has(String(await store.nextId("numbered")))).toBe(false);
});
