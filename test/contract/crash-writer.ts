import { createLogger, insertNewStep, insertStep, openSqliteStore, updateStep } from "@hourglass/runtime";

/**
 * Writes until it is killed: documents one by one, in pairs, numbered and in commits over two collections, and
 * counters. Each line on stdout is an acknowledged write that must be present after the kill.
 */
async function writeForEver(dataDir: string, round: string): Promise<never> {
  const log = createLogger("silent");
  const store = await openSqliteStore({ dataDir, log });
  const items = await store.collection<{ id: string; text: string }>({
    name: "items",
    indexes: [{ fields: ["text"] }],
  });
  const tallies = await store.collection<{ id: string; commits: number }>({ name: "tallies" });
  const numbered = await store.collection<{ id: number; text: string }>({ name: "numbered" });
  await tallies.insertNew([{ id: "all", commits: 0 }]);
  const text = "t".repeat(2000);
  const tell = (...words: (string | number)[]): boolean => process.stdout.write(`${words.join(" ")}\n`);
  const writeOne = async (n: number): Promise<void> => {
    const id = `${round}-${n}`;
    await items.insert({ id, text });
    tell("item", id);
    await items.insertMany(["a", "b"].map((half) => ({ id: `${id}-${half}`, text })));
    tell("pair", id);
    await store.commit([
      insertStep(items, { id: `${id}-c`, text }),
      updateStep(tallies, { id: "all" }, { increment: { commits: 1 } }),
      insertNewStep(items, [{ id: `${id}-d`, text }]),
    ]);
    tell("commit", id);
    tell("counter", await store.nextId("things"));
    tell("numbered", await store.insertNext(numbered, "numbered", { text }));
  };
  // Several at a time, so that a kill hits writes that share a commit.
  for (let n = 0; ; n += 4) await Promise.all([n, n + 1, n + 2, n + 3].map(writeOne));
}

const [dataDir, round] = process.argv.slice(2);
if (dataDir === undefined || round === undefined) throw new Error("usage: crash-writer DATA_DIR ROUND");
await writeForEver(dataDir, round);
