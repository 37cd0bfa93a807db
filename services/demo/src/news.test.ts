import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GdeltUpstream } from "./gdelt.js";
import { inventArticle, NewsapiQueryRefused, NewsapiUpstream, readNewsapiQuery } from "./newsapi.js";

const KEY = "demo-key";
const MINUTE = 60_000;

let time = Date.UTC(2026, 10, 22, 12);
const now = () => time;
beforeEach(() => {
  time = Date.UTC(2026, 10, 22, 12);
});

describe("the fake of NewsAPI", () => {
  let upstream: NewsapiUpstream;
  beforeEach(async () => {
    upstream = await NewsapiUpstream.start({ key: KEY, now });
  });
  afterEach(() => upstream.close());

  const ask = async (parameters: Record<string, string>, key: string | undefined = KEY) => {
    const url = `${upstream.origin}/v2/everything?${new URLSearchParams(parameters).toString()}`;
    const answer = await fetch(url, { headers: key === "" ? {} : { "X-Api-Key": key } });
    const body = (await answer.json()) as { code?: string; totalResults?: number; articles?: { title: string }[] };
    return { ...body, status: answer.status };
  };

  it("gives pages of what a query finds, newest first", async () => {
    for (let article = 0; article < 5; article += 1) upstream.post({ at: time - article * MINUTE });
    const first = await ask({ q: "kestrel", pageSize: "2" });
    const third = await ask({ q: "kestrel", pageSize: "2", page: "3" });
    expect([first.totalResults, first.articles?.length, third.articles?.length]).toEqual([5, 2, 1]);
  });

  it.each([
    ["without a query", {}, "parametersMissing"],
    ["with a query of 501 characters", { q: "x".repeat(501) }, "parameterInvalid"],
    ["with an operator with nothing beside it", { q: "kestrel AND" }, "parameterInvalid"],
    ["with a page of 101", { q: "kestrel", pageSize: "101" }, "parameterInvalid"],
    ["with a time that is none", { q: "kestrel", from: "soon" }, "parameterInvalid"],
    ["with a time too far back", { q: "kestrel", from: "2020-01-01" }, "parameterInvalid"],
    ["with a parameter that is not known", { q: "kestrel", since: "1" }, "parameterInvalid"],
  ])("refuses a request %s", async (_what, parameters, code) => {
    expect(await ask(parameters as Record<string, string>)).toMatchObject({ status: 400, code });
  });

  it.each([
    ["without a key", "", "apiKeyMissing"],
    ["with another key", "other", "apiKeyInvalid"],
  ])("refuses a request %s", async (_what, key, code) => {
    expect(await ask({ q: "kestrel" }, key)).toMatchObject({ status: 401, code });
  });

  it("gives no more results than the plan, and counts requests", async () => {
    upstream.plan.resultsMax = 2;
    for (let article = 0; article < 3; article += 1) upstream.post();
    expect(await ask({ q: "kestrel", pageSize: "2", page: "2" })).toMatchObject({
      status: 426,
      code: "maximumResultsReached",
    });
    upstream.window.limit = 1;
    expect(await ask({ q: "kestrel" })).toMatchObject({ status: 429, code: "rateLimited" });
  });

  it("finds what was posted within a span, in whole seconds, and delays it by the plan", async () => {
    upstream.post({ at: time - MINUTE + 500 });
    const from = new Date(time - MINUTE).toISOString().slice(0, 19);
    expect((await ask({ q: "kestrel", from, to: from })).totalResults).toBe(1);
    upstream.plan.delayMs = 2 * MINUTE;
    expect((await ask({ q: "kestrel" })).totalResults).toBe(0);
  });

  it("shows a stub for an article that was taken down", async () => {
    upstream.remove(upstream.post());
    expect((await ask({ q: "kestrel" })).articles?.[0]?.title).toBe("[Removed]");
  });
});

describe("a query of NewsAPI", () => {
  const article = inventArticle(1, 0, { title: "Kestrel phone", description: "It is new", content: "And dear" });

  it.each([
    ["kestrel AND new", true],
    ["kestrel AND NOT new", false],
    ["peregrine OR new", true],
    ["(peregrine OR kestrel) AND dear", true],
    ['"kestrel phone"', true],
    ['"phone kestrel"', false],
    ["+kestrel", true],
    ["-kestrel", false],
  ])("%s", (query, finds) => {
    expect(readNewsapiQuery(query)(article)).toBe(finds);
  });

  it.each(["", "(kestrel", "kestrel)", "OR kestrel", "kestrel phone"])("is not %j", (query) => {
    expect(() => readNewsapiQuery(query)).toThrow(NewsapiQueryRefused);
  });
});

describe("the fake of GDELT", () => {
  let upstream: GdeltUpstream;
  beforeEach(async () => {
    upstream = await GdeltUpstream.start({ now });
  });
  afterEach(() => upstream.close());

  const get = (name: string, headers: Record<string, string> = {}) =>
    fetch(`${upstream.origin}/gdeltv2/${name}`, { headers });

  it("publishes a file when its time has passed, with the checksum that it lists", async () => {
    upstream.post({ at: time + MINUTE });
    expect(await (await get("lastupdate.txt")).text()).not.toContain("20261122121500");
    time += 15 * MINUTE;
    const [, , line = ""] = (await (await get("lastupdate.txt")).text()).split("\n");
    const [size, md5, url = ""] = line.split(" ");
    expect(url).toMatch(/\/20261122121500\.gkg\.csv\.zip$/);
    const bytes = Buffer.from(await (await get("20261122121500.gkg.csv.zip")).arrayBuffer());
    expect([String(bytes.length), createHash("md5").update(bytes).digest("hex")]).toEqual([size, md5]);
  });

  it("gives the end of the list of all files", async () => {
    const whole = await (await get("masterfilelist.txt")).text();
    const part = await get("masterfilelist.txt", { Range: "bytes=-50" });
    expect([part.status, await part.text()]).toEqual([206, whole.slice(-50)]);
  });

  it("has no other files", async () => {
    const names = ["20261122120000.export.CSV.zip", "20200101000000.gkg.csv.zip", "../etc/passwd"];
    expect(await Promise.all(names.map(async (name) => (await get(name)).status))).toEqual([404, 404, 404]);
  });
});
