import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type AnalysisPool, createAnalysisPool } from "./analysis-pool.js";

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
    const analysed = analyzeNow("operation");
    end(begun[0]?.[0]);
    await untilBegun(2);
    expect(begun[1]).toEqual(["operation"]);
    end("operation");
    expect(await analysed).toMatchObject([{ results: { intention: { value: "operation" } } }]);
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
