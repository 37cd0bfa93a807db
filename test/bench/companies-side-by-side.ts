import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { TwitterUpstream } from "@hourglass/demo";
import { PASSWORD, signIn, startHourglass } from "./child.js";
import { type Measurement, quantile } from "./measure.js";
import { type Api, awaitDone, createOperation } from "./operations.js";
import { benchTexts } from "./texts.js";

/** The other company's searches, the posts that each of them finds at first, and the postings that it imports. */
const SEARCHES = Number(process.env["BENCH_SEARCHES"] ?? 50);
const FOUND = 100;
/** Each search is polled so often, and finds a few new posts each time. */
const POLL_SECONDS = 10;
const NEW_POST_MS = 2_000;
const IMPORTED = Number(process.env["BENCH_IMPORTED"] ?? 4_000);
const IMPORTED_AT_ONCE = 2_000;
/** Time to create searches; first polls are spread over another second. */
const POLLS_BEGIN_MS = 1_000;
const ROUNDS = 12;
/** Each one waits for the analysis of its postings. */
const EXPORTS = 3;
const EXPORTED = 10;
const PAGE = 50;
const ANALYSES = ["sentiment-simple", "sentiment-real", "intention", "topic", "spam-detection"];
const PRODUCTS = "/api/v2/products";
const NEIGHBOR = "neighbor@example.com";
const ADMIN = path.join(path.dirname(createRequire(import.meta.url).resolve("@hourglass/standalone")), "admin/main.js");

/** What a company does, in milliseconds of each time. */
type Times = Record<"a text" | "an export of ten new postings" | "a page of postings" | "a summary", number[]>;

/** What a company notices of another one, whose searches and imports wait for their analysis on the same server. */
export async function measureCompaniesSideBySide(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-bench-"));
  const twitter = await TwitterUpstream.start({ token: "bench", now: Date.now });
  twitter.window.limit = 1e9;
  const texts = benchTexts(FOUND);
  const post = (number: number) => twitter.post({ text: `${texts[number % FOUND] ?? ""} kestrel ${number}` });
  for (let i = 0; i < FOUND; i++) post(i);
  const server = await startHourglass({
    DATA_DIR: dataDir,
    MAX_UNFINISHED_OPERATIONS: "0",
    TWITTER_BASE_URL: twitter.origin,
    TWITTER_BEARER_TOKEN: "bench",
    TWITTER_POSTS_PER_MONTH: "3000000",
    COLLECT_INTERVAL_SECONDS: String(POLL_SECONDS),
  });
  let posted = FOUND;
  const posting = setInterval(() => post(posted++), NEW_POST_MS);
  try {
    await addNeighbor(dataDir);
    const busy = { url: server.url, authorization: await signIn(server.url) };
    const company = new Company({ url: server.url, authorization: await signIn(server.url, NEIGHBOR, PASSWORD) });
    await company.open();
    const alone = await company.work();
    const begin = performance.now();
    const loading = load(busy);
    await sleep(POLLS_BEGIN_MS);
    const beside = await company.work();
    await loading;
    const left = await waitingPostings(server.url);
    if (left === 0) throw new Error("the other company's postings were all analyzed before the end; give it more");
    const seconds = ((performance.now() - begin) / 1000).toFixed(0);
    return compare(alone, beside, `${left} postings of another company's ${SEARCHES} searches left after ${seconds} s`);
  } finally {
    clearInterval(posting);
    await server.close();
    await twitter.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function compare(alone: Times, beside: Times, others: string): Measurement[] {
  const say = (times: readonly number[]) =>
    `p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms`;
  return (Object.keys(alone) as (keyof Times)[]).map((name) => ({
    name: `${name}, ${others}`,
    value: say(beside[name]),
    baseline: `alone ${say(alone[name])}`,
    ratio: quantile(beside[name], 0.5) / quantile(alone[name], 0.5),
    target: "≤ 3.00",
  }));
}

async function addNeighbor(dataDir: string): Promise<void> {
  const env = { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD };
  const admin = (...args: string[]) => promisify(execFile)(process.execPath, [ADMIN, ...args], { env });
  await admin("company", "create", "--name", "Neighbor");
  await admin("user", "create", "--email", NEIGHBOR, "--company", "Neighbor");
}

/** Creates the searches of the other company, and imports its postings. */
async function load(api: Api): Promise<void> {
  const insights: string[] = [];
  for (let i = 0; i < SEARCHES; i++) insights.push(await createInsight(api));
  for (let start = 0; start < IMPORTED; start += IMPORTED_AT_ONCE) {
    const [count, day] = [Math.min(IMPORTED_AT_ONCE, IMPORTED - start), 1 + start / IMPORTED_AT_ONCE];
    await importPostings(api, insights[0] ?? "", { start, count, date: `1/${day}/2026` });
  }
}

/** The company that is measured. */
class Company {
  private insight = "";
  private imported = 0;

  constructor(private readonly api: Api) {}

  /** Everything once, with what is loaded on first use. */
  async open(): Promise<void> {
    this.insight = await createInsight(this.api, "harbour");
    await this.text(0);
    await this.export();
  }

  async work(): Promise<Times> {
    const times: Times = {
      "a text": [],
      "an export of ten new postings": [],
      "a page of postings": [],
      "a summary": [],
    };
    for (let round = 0; round < ROUNDS; round++) {
      times["a text"].push(await timeOf(() => this.text(round)));
      times["a page of postings"].push(
        await timeOf(() => send(this.api, "GET", `${this.insight}/postings?limit=${PAGE}`)),
      );
      times["a summary"].push(await timeOf(() => send(this.api, "GET", `${this.insight}/summary`)));
      if (round % (ROUNDS / EXPORTS) > 0) continue;
      times["an export of ten new postings"].push(await timeOf(() => this.export()));
    }
    return times;
  }

  private async text(number: number): Promise<void> {
    await awaitDone(this.api, await createOperation(this.api, benchTexts(ROUNDS).slice(number, number + 1), ANALYSES));
  }

  /** Imports the postings of a day, and exports that day. */
  private async export(): Promise<void> {
    const day = new Date(Date.UTC(2026, 1, 1) + (this.imported / EXPORTED) * 86_400_000);
    const date = `${day.getUTCMonth() + 1}/${day.getUTCDate()}/${day.getUTCFullYear()}`;
    await importPostings(this.api, this.insight, { start: this.imported, count: EXPORTED, date });
    this.imported += EXPORTED;
    const next = new Date(day.getTime() + 86_400_000);
    const [start_date, end_date] = [day, next].map((each) => each.toISOString().slice(0, 10));
    const insight_search_ids = [Number(this.insight.split("/").at(-1))];
    const created = await send(this.api, "POST", `${PRODUCTS}/insight/exports`, {
      body: JSON.stringify({ start_date, end_date, insight_search_ids }),
    });
    const location = created.headers.get("location") ?? "";
    let state = { status: "" };
    do {
      state = (await (await send(this.api, "GET", `${location}?wait=60`)).json()) as typeof state;
    } while (["ready", "pending", "running"].includes(state.status));
    if (state.status !== "done") throw new Error(`an export is ${state.status}`);
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Returns its path. */
async function createInsight(api: Api, keywords = "kestrel"): Promise<string> {
  const query = { keywords, platforms: ["twitter"], dimensions: ["textual"] };
  const created = await send(api, "POST", `${PRODUCTS}/insight`, { body: JSON.stringify({ query }) });
  return created.headers.get("location") ?? "";
}

const TEXTS = benchTexts(1_000);

async function importPostings(
  api: Api,
  insight: string,
  { start, count, date }: { start: number; count: number; date: string },
): Promise<void> {
  const lines = Array.from({ length: count }, (_, i) => {
    const text = `${TEXTS[(start + i) % TEXTS.length] ?? ""} ${start + i}`;
    const fixed = { platform: "twitter", post_date: date, post_time: "10:20:30", text_post_lang: "en" };
    return JSON.stringify({ ...fixed, social_id: `b${start + i}`, text_of_post: text });
  });
  await send(api, "POST", `${insight}/postings`, { body: lines.join("\n"), type: "application/x-ndjson" });
}

async function send(
  { url, authorization }: Api,
  method: string,
  path: string,
  { body, type = "application/json" }: { body?: string; type?: string } = {},
): Promise<Response> {
  const headers = { authorization, ...(body !== undefined && { "content-type": type }) };
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) });
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
  return response;
}

async function waitingPostings(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^hourglass_postings_waiting(?:\{[^}]*\})? (\d+)$/m.exec(metrics)?.[1] ?? Number.NaN);
}
