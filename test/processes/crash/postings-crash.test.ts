import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { openCollections, POSTING_FAILPOINTS } from "@hourglass/insight/postings";
import { createLogger, openSqliteStore } from "@hourglass/runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import { freshFolder } from "../../contract/support.js";
import { authorOf, DOOMED, ERASED_AUTHOR, IMPORTED, INSIGHT, POSTED } from "../postings-crash/postings.js";

const WORKER = fileURLToPath(new URL("../../dist/processes/postings-crash/worker.js", import.meta.url));
/** Longer than a claim and than the time after which an erasure counts as abandoned. */
const LATER_MS = 120_000;

interface Life {
  signal: NodeJS.Signals | null;
  code: number | null;
  output: string;
}

async function live(dataDir: string, failpoints: string, aheadMs = 0): Promise<Life> {
  const worker = spawn(process.execPath, [WORKER, dataDir, failpoints, String(aheadMs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code, signal]] = await Promise.all([
    text(worker.stdout),
    once(worker, "exit") as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { signal, code, output };
}

describe("postings of processes that were killed", () => {
  it.each(POSTING_FAILPOINTS)("are stored, counted, analyzed and erased exactly once: %s", async (point) => {
    const { folder, remove } = await freshFolder();
    onTestFinished(remove);
    // Each life gets a little farther than the one before.
    expect((await live(folder, `${point}=1`)).signal).toBe("SIGKILL");
    await live(folder, `${point}=2`, LATER_MS);
    const last = await live(folder, "", 2 * LATER_MS);
    expect(last.code).toBe(0);
    expect(JSON.parse(last.output)).toEqual({ accepted: IMPORTED, duplicates: 0, unmatched: 0, erased: 0 });

    const store = await openSqliteStore({ dataDir: folder, log: createLogger("silent") });
    onTestFinished(() => store.close());
    const { postings, insights, work, erasures } = await openCollections(store);
    const found = await postings.find({});
    const numbers = Array.from({ length: POSTED }, (_, number) => number);
    const kept = numbers.filter((number) => authorOf(number) !== ERASED_AUTHOR).map((number) => `s${number}`);
    const imported = Array.from({ length: IMPORTED }, (_, number) => `n${number}`);
    expect(found.map(({ socialId }) => socialId).sort()).toEqual([...kept, ...imported].sort());
    expect(await insights.get(INSIGHT.id)).toMatchObject({ postings: found.length });
    expect(found.filter(({ content, intention }) => intention !== `intention of ${content.text ?? ""}`)).toEqual([]);
    expect(await work.count({})).toBe(0);
    expect(await erasures.count({})).toBe(0);
    expect(await insights.get(DOOMED.id)).toBeUndefined();
  });
});
