import { Hourglass, type HourglassError, type OperationContent } from "@hourglass/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EMAIL, PASSWORD, startServer, type TestServer } from "../support/server.js";

const TEXTS = { type: "text" as const, analyses: ["sentiment-simple" as const] };
const BODY_BYTES = 100_000;

let server: TestServer;
let hourglass: Hourglass;

beforeAll(async () => {
  server = await startServer({ ENGINE_SENTIMENT_SIMPLE: "fast", MAX_BODY_BYTES: String(BODY_BYTES) });
  hourglass = new Hourglass({ baseUrl: server.url });
  await hourglass.signIn(EMAIL, PASSWORD);
});
afterAll(() => server.close());

const texts = (count: number) => Array.from({ length: count }, (_, at) => `I love museum ${at}.`);

async function read(contents: AsyncIterable<OperationContent>): Promise<OperationContent[]> {
  const all: OperationContent[] = [];
  for await (const content of contents) all.push(content);
  return all;
}

async function sizes(): Promise<number[]> {
  const found: number[] = [];
  for await (const { progress } of hourglass.operations()) found.push(progress.total);
  return found.reverse();
}

describe("more contents than one operation takes", () => {
  it("are analyzed in several, and come in their order", async () => {
    const sent = texts(2_100);
    const contents = await read(hourglass.analyzeAll({ ...TEXTS, contents: sent }));
    expect(contents.map(({ content }) => content)).toEqual(sent);
    expect(contents.map(({ index }) => index)).toEqual([...sent.keys()]);
    expect(contents.every(({ analyses }) => analyses[0]?.type === "sentiment-simple")).toBe(true);
    expect((await sizes()).sort((a, b) => a - b)).toEqual([100, 1000, 1000]);
  });

  it("are divided by their size, too", async () => {
    const large = Array.from({ length: 5 }, (_, at) => `${at} good ${"x".repeat(15_000)}`);
    const before = (await sizes()).length;
    expect(await read(hourglass.analyzeAll({ ...TEXTS, contents: large }))).toHaveLength(5);
    expect((await sizes()).slice(before).sort((a, b) => a - b)).toEqual([1, 2, 2]);
  });

  it("are found again by a program that is started again with its key", async () => {
    const wanted = { ...TEXTS, contents: texts(1_001) };
    await read(hourglass.analyzeAll(wanted, { idempotencyKey: "reviews of May" }));
    const before = (await sizes()).length;
    await read(hourglass.analyzeAll(wanted, { idempotencyKey: "reviews of May" }));
    expect(await sizes()).toHaveLength(before);
  });

  it("are counted from the first of all where one is refused", async () => {
    const contents = texts(2_010).with(2_003, "");
    const failure = await read(hourglass.analyzeAll({ ...TEXTS, contents })).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "invalid_request", details: [{ field: "contents[2003]" }] });
    expect((failure as HourglassError).message).toContain("contents[2003]");
  });

  it("are read as they are needed, and no further when nobody wants more", async () => {
    let taken = 0;
    async function* endless() {
      for (;;) yield Promise.resolve(`I love museum ${taken++}.`);
    }
    for await (const { index } of hourglass.analyzeAll({ ...TEXTS, contents: endless() })) if (index === 10) break;
    expect(taken).toBeLessThan(5_000);
  });

  it("are not divided where all of them are judged together", async () => {
    const together = { type: "text" as const, analyses: ["personality-mb" as const], contents: texts(2) };
    await expect(read(hourglass.analyzeAll(together))).rejects.toThrow("use analyze");
  });
});
