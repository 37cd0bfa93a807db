import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type AnalysisPool, BackgroundShare, createAnalysisPool } from "./text-pool.js";

/** A worker whose behavior depends on the text; the real one is tested end to end with the build. */
const FATEFUL_WORKER = `
import { workerData } from "node:worker_threads";
export const analyzeBatch = async ({ texts, analyses, explain, language }) => {
  for (const text of texts) {
    if (text === "exit") process.exit(3);
    if (text === "reject") throw new Error("rejected");
    if (text === "memory") { const hoard = []; for (;;) hoard.push(new Array(1e5).fill(Math.random())); }
    if (text === "asked?") return { entries: [{ results: { intention: { value: String(explain) } } }], timings: [] };
    if (text === "language?") return { entries: [{ results: { intention: { value: String(language) } } }], timings: [] };
    if (text.startsWith("brief")) await new Promise((resolve) => setTimeout(resolve, 20));
    if (text === "slow") await new Promise((resolve) => setTimeout(resolve, 2000));
  }
  const entries = texts.map((text) => ({ results: { intention: { value: text, prob: analyses.length } }, errors: {} }));
  return { entries, timings: [{ analysis: "intention", engine: "fast", seconds: texts.length }] };
};
export const describeBatch = () => [{ type: "intention", engine: workerData.engines?.intention ?? "none", ready: true }];
`;

describe("createAnalysisPool", () => {
  const folder = mkdtempSync(join(tmpdir(), "hourglass-pool-"));
  const worker = pathToFileURL(join(folder, "worker.mjs"));
  writeFileSync(worker, FATEFUL_WORKER);
  let pool: AnalysisPool;
  const open = (threads = 2): AnalysisPool => (pool = createAnalysisPool({ threads, worker, heapMaxMb: 32 }));
  afterEach(() => pool.close());
  afterAll(() => rmSync(folder, { recursive: true }));

  it("gives one entry per text, in order", async () => {
    const texts = Array.from({ length: 500 }, (_, i) => `text ${i}`);
    const entries = await open().analyze(texts, ["intention"]);
    expect(entries.map(({ results }) => results.intention?.value)).toEqual(texts);
  });

  it("has texts analyzed by the threads that are ready, while others load", async () => {
    const loading = pathToFileURL(join(folder, "loading.mjs"));
    const wait = "if (Atomics.add(workerData.start.started, 0, 1) > 0) await new Promise(() => undefined);";
    writeFileSync(loading, `${FATEFUL_WORKER}\n${wait}`);
    pool = createAnalysisPool({ threads: 3, worker: loading });
    await pool.analyze(["first"], ["intention"]);
    const calls = Array.from({ length: 10 }, (_, i) => pool.analyze([`brief ${i}`], ["intention"], { owner: i }));
    expect(await Promise.all(calls)).toHaveLength(10);
  });

  it("gives texts of mixed length back in order", async () => {
    const texts = Array.from({ length: 300 }, (_, i) => `${"x".repeat((i * 37) % 101)} ${i}`);
    const entries = await open().analyze(texts, ["intention"]);
    expect(entries.map(({ results }) => results.intention?.value)).toEqual(texts);
  });

  it("passes on the language of the texts where the caller knows it", async () => {
    const values = [];
    for (const options of [{ language: "es" }, {}]) {
      const [entry] = await open(1).analyze(["language?"], ["intention"], options);
      values.push(entry?.results.intention?.value);
      await pool.close();
    }
    expect(values).toEqual(["es", "undefined"]);
  });

  it("asks for explanations when the caller does", async () => {
    const values = [];
    for (const options of [{ explain: true }, {}]) {
      const [entry] = await open(1).analyze(["asked?"], ["intention"], options);
      await pool.close();
      values.push(entry?.results.intention?.value);
    }
    expect(values).toEqual(["true", "false"]);
  });

  it("shares its threads between owners, however much one of them has", async () => {
    open(1);
    let ended = 0;
    const many = Array.from({ length: 20 }, () =>
      pool.analyze(["brief"], ["intention"], { owner: 1 }).then(() => (ended += 1)),
    );
    await pool.analyze(["one"], ["intention"], { owner: 2 });
    expect(ended).toBeLessThan(5);
    await Promise.all(many);
  });

  it("lets other texts pass those in the background, whichever company owns them", async () => {
    open(1);
    let ended = 0;
    const many = Array.from({ length: 20 }, () =>
      pool.analyze(["brief"], ["intention"], { owner: 1, background: true }).then(() => (ended += 1)),
    );
    for (let i = 0; i < 3; i++) await pool.analyze(["brief"], ["intention"], { owner: 1 });
    expect(ended).toBeLessThan(8);
    await Promise.all(many);
  });

  it("says of every batch how long an analysis took", async () => {
    const seconds: number[] = [];
    const texts = Array.from({ length: 40 }, (_, i) => `text ${i}`);
    await open().analyze(texts, ["intention"], { onTimed: (timing) => seconds.push(timing.seconds) });
    expect(seconds.sort()).toEqual([32, 8]);
  });

  it.each([
    ["exits", "exit"],
    ["runs out of memory", "memory"],
    ["rejects", "reject"],
  ])("replaces a thread that %s and blames only the text that did it", async (_, poison) => {
    const texts = ["a", poison, "b", ...Array.from({ length: 60 }, (_, i) => `text ${i}`)];
    const entries = await open().analyze(texts, ["intention", "topic"]);
    expect(entries.map(({ results }) => results.intention?.value)).toEqual(
      texts.map((text) => (text === poison ? undefined : text)),
    );
    expect(Object.keys(entries[1]?.errors ?? {})).toEqual(["intention", "topic"]);
    expect(entries[1]?.errors.intention).toMatch(/failed on this text/);
    const after = await pool.analyze(["later"], ["intention"]);
    expect(after[0]?.results.intention?.value).toBe("later");
  });

  it("rejects at once when the caller aborts", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const analysis = open(1).analyze(["slow"], ["intention"], { signal: controller.signal });
    controller.abort(reason);
    await expect(analysis).rejects.toBe(reason);
  });

  it("refuses work after it was closed", async () => {
    open();
    await pool.close();
    await expect(pool.analyze(["a"], ["intention"])).rejects.toThrow(/closed/);
  });

  it("asks a thread how the analyzers are", async () => {
    expect(await open().analyzers()).toEqual([{ type: "intention", engine: "none", ready: true }]);
  });

  it("tells the threads which engines to use", async () => {
    pool = createAnalysisPool({ threads: 1, worker, engines: { intention: "accurate" }, offline: true });
    expect(await pool.analyzers()).toMatchObject([{ engine: "accurate" }]);
  });
});

describe("the share of the background", () => {
  const shareAt = (threads: number) => {
    const clock = { now: 0 };
    return { clock, share: new BackgroundShare(threads, () => clock.now) };
  };

  it("gives the background all threads while no others come", () => {
    const { share } = shareAt(2);
    expect(share.threadsMax).toBe(2);
    share.noteForeground(1000);
    expect(share.threadsMax).toBe(2);
  });

  it("leaves a thread free for ten seconds after few texts of others", () => {
    const { share, clock } = shareAt(4);
    share.noteForeground(1);
    expect(share.threadsMax).toBe(3);
    clock.now = 9_999;
    expect(share.threadsMax).toBe(3);
    clock.now = 10_000;
    expect(share.threadsMax).toBe(4);
  });

  it("takes small batches where others would wait for them, the smallest while others come", () => {
    const { share } = shareAt(2);
    const texts = (busy: number) => share.batchSize(busy).texts;
    expect([texts(0), texts(1)]).toEqual([32, 8]);
    share.noteForeground(1);
    expect([texts(0), texts(1)]).toEqual([4, 2]);
  });

  it("leaves the background the only thread that there is, for a moment at a time", () => {
    const { share } = shareAt(1);
    share.noteForeground(1);
    expect(share.threadsMax).toBe(1);
    expect(share.batchSize(0).texts).toBe(2);
  });
});

describe("texts beside the background", () => {
  const folder = mkdtempSync(join(tmpdir(), "hourglass-pool-"));

  /** A worker that says which batch has begun, and ends it when told. */
  const OBEDIENT_WORKER = `
const channel = new BroadcastChannel(${JSON.stringify(folder)});
export const analyzeBatch = ({ texts }) =>
  new Promise((resolve) => {
    const entries = texts.map((text) => ({ results: { intention: { value: text } }, errors: {} }));
    channel.onmessage = ({ data }) => data.end === texts[0] && resolve({ entries, timings: [] });
    channel.postMessage({ begun: texts });
  });
`;

  describe("a pool beside a full line of texts in the background", () => {
    const worker = pathToFileURL(join(folder, "worker.mjs"));
    writeFileSync(worker, OBEDIENT_WORKER);
    const channel = new BroadcastChannel(folder);
    const end = (text: string | undefined): void => channel.postMessage({ end: text });
    let pool: AnalysisPool;
    let begun: string[][] = [];
    let isClosing = false;
    let notice: () => void = () => undefined;
    channel.onmessage = (event: unknown) => {
      const { data } = event as { data: { begun: string[] } };
      begun.push(data.begun);
      if (isClosing) end(data.begun[0]);
      notice();
    };

    const open = (threads: number): void => {
      begun = [];
      isClosing = false;
      pool = createAnalysisPool({ threads, worker });
    };
    const untilBegun = async (count: number): Promise<void> => {
      while (begun.length < count) await new Promise<void>((resolve) => (notice = resolve));
    };
    const waitBehind = (): void => {
      for (let i = 0; i < 10; i++) {
        const texts = Array.from({ length: 40 }, (_, j) => `posting ${i} ${j}`);
        pool.analyze(texts, ["intention"], { background: true, owner: i }).catch(() => undefined);
      }
    };
    const analyzeNow = (text: string) => pool.analyze([text], ["intention"], { owner: "operations" });
    const closeNow = async (): Promise<void> => {
      isClosing = true;
      const closing = pool.close();
      for (const [text] of begun) end(text);
      await closing;
    };
    afterEach(() => closeNow());
    afterAll(() => {
      channel.close();
      rmSync(folder, { recursive: true });
    });

    it("runs other texts next, before any of those that wait", async () => {
      open(1);
      waitBehind();
      await untilBegun(1);
      const analyzed = analyzeNow("operation");
      end(begun[0]?.[0]);
      await untilBegun(2);
      expect(begun[1]).toEqual(["operation"]);
      end("operation");
      expect(await analyzed).toMatchObject([{ results: { intention: { value: "operation" } } }]);
    });

    it("keeps the only thread for a few texts at a time", async () => {
      open(1);
      waitBehind();
      await untilBegun(1);
      expect(begun[0]).toHaveLength(8);
      end(begun[0]?.[0]);
      await untilBegun(2);
      expect(begun[1]).toHaveLength(8);
    });

    it("has a thread free for other texts while such come", async () => {
      open(2);
      const first = analyzeNow("operation 1");
      await untilBegun(1);
      end("operation 1");
      await first;
      waitBehind();
      await untilBegun(2);
      const second = analyzeNow("operation 2");
      await untilBegun(3);
      expect(begun[1]?.[0]).toMatch(/posting/);
      expect(begun[2]).toEqual(["operation 2"]);
      end("operation 2");
      await second;
    });
  });
});
