import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Deployment } from "../../support/deployment.js";
import { type FeedAnswer, FeedServer } from "../../support/feed-server.js";
import type { Part } from "../../support/part.js";
import { embeddedTestStorage, type TestStorage } from "../../support/test-storage.js";
import { PatientClient } from "../crash-loop/patient-client.js";
import { signIn } from "../crash-loop/sign-in.js";
import { insightsEnv } from "../insights/environment.js";
import { InsightClient } from "../insights/insight-client.js";
import { PromisedInsight } from "../insights/promised-insight.js";

const RETRY_AFTER_SECONDS = 3;
const WRITTEN_WITHIN_MS = 3000;

let storage: TestStorage;
let deployment: Deployment;
let feeds: FeedServer;
let client: InsightClient;
let over: AbortController;
const broken: string[] = [];

async function open(workers?: number): Promise<void> {
  storage = await embeddedTestStorage();
  over = new AbortController();
  feeds = await FeedServer.start();
  const env = insightsEnv(storage, { leaseSeconds: 1, intervalSeconds: 1 });
  const topology = workers === undefined ? "one-process" : "processes";
  deployment = await Deployment.prepare({ topology, env, ...(workers === undefined ? {} : { workers }) });
  deployment.start();
  await deployment.ready();
  const { url } = deployment;
  const authorization = await signIn(url);
  const patient = new PatientClient({ url, authorization, broken, over: over.signal });
  client = new InsightClient(patient, broken, (feed) => feeds.url(feed));
}

async function close(): Promise<void> {
  over.abort();
  await deployment.end("SIGKILL");
  await feeds.close();
  await storage.remove();
  expect(broken).toEqual([]);
}

let number = 0;

/** An insight on its own feed. */
async function follow(feed: string): Promise<PromisedInsight> {
  const insight = new PromisedInsight(`fault-${(number += 1)}`, { birds: ["kestrel"], feeds: [feed] }, NOTHING_FOUND);
  await client.create(insight);
  return insight;
}

const NOTHING_FOUND = { found: () => new Map<string, string>() };

function publish(feed: string, ...guids: string[]): void {
  const items = guids.map((guid) => ({ guid: `urn:${guid}`, title: guid, text: "A kestrel.", at: new Date() }));
  feeds.feeds.set(feed, [...items, ...(feeds.feeds.get(feed) ?? [])]);
}

async function listed(insight: PromisedInsight): Promise<string[]> {
  const postings = await client.postings(insight);
  return postings.map(({ social_id }) => social_id.slice("urn:".length)).sort();
}

async function holds(insight: PromisedInsight, ...guids: string[]): Promise<void> {
  await vi.waitFor(async () => expect(await listed(insight)).toEqual([...guids].sort()), { interval: 200 });
}

/** Resolves once collection has gone on, so that what should have been collected has been. */
async function pollsGoOn(): Promise<void> {
  const feed = `/witness-${(number += 1)}`;
  publish(feed, "first");
  const witness = await follow(feed);
  await holds(witness, "first");
  publish(feed, "second");
  await holds(witness, "first", "second");
}

/** Lets requests of one path wait until they are released. */
function hold(feed: string): () => void {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  feeds.beforeAnswer = (path) => (path === feed ? released : Promise.resolve());
  return release;
}

async function requested(feed: string, times = 1): Promise<void> {
  await vi.waitFor(() => expect(feeds.timesOf(feed).length).toBeGreaterThanOrEqual(times), { interval: 50 });
}

/** Suspends the workers while none of them writes: a suspended writer keeps the embedded database locked for all. */
async function freezeBetweenWrites(workers: readonly Part[]): Promise<void> {
  for (;;) {
    for (const worker of workers) worker.freeze();
    const written = follow("/unread").then(() => true);
    if (await Promise.race([written, pause(WRITTEN_WITHIN_MS, false)])) return;
    for (const worker of workers) worker.thaw();
    await written;
  }
}

const withStatus =
  (status: number, headers: Record<string, string> = {}): FeedAnswer =>
  (response) =>
    response.writeHead(status, headers).end();

const HTML: FeedAnswer = (response) =>
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title><p>Please.</p>");

const ENDLESS: FeedAnswer = (response) => {
  response.writeHead(200, { "content-type": "application/rss+xml" });
  const send = (): void => {
    if (response.destroyed) return;
    response.write("<rss>".repeat(20_000), () => setImmediate(send));
  };
  send();
};

const CUT: FeedAnswer = (response) => {
  response.writeHead(200, { "content-type": "application/rss+xml", "content-length": "1000" });
  response.write("<rss>", () => response.destroy());
};

describe("collection from a feed server with faults", () => {
  beforeAll(() => open());
  afterAll(close);

  it.each([
    { fault: "500", answer: withStatus(500) },
    { fault: "HTML", answer: HTML },
    { fault: "an endless body", answer: ENDLESS },
    { fault: "a body that breaks off", answer: CUT },
  ])("says so after $fault, and collects everything once the feed is repaired", async ({ fault, answer }) => {
    const feed = `/fault-${encodeURIComponent(fault)}`;
    publish(feed, "one", "two");
    feeds.answers.set(feed, answer);
    const insight = await follow(feed);
    await vi.waitFor(async () => {
      const read = await client.read(insight);
      expect(read).toMatchObject({ status: "running", posting_count: 0, platforms: [{ state: "failing" }, {}] });
      expect(read?.platforms[0]?.last_error).toMatch(/^.+\.$/);
    });
    feeds.answers.delete(feed);
    await holds(insight, "one", "two");
    await vi.waitFor(async () =>
      expect(await client.read(insight)).toMatchObject({ platforms: [{ state: "waiting", last_error: null }, {}] }),
    );
  });

  it("sends no request before the time of a Retry-After", async () => {
    const feed = "/busy";
    publish(feed, "one");
    feeds.answers.set(feed, withStatus(429, { "retry-after": String(RETRY_AFTER_SECONDS) }));
    const insight = await follow(feed);
    await requested(feed);
    feeds.answers.delete(feed);
    await holds(insight, "one");
    const [first = 0, second = 0] = feeds.timesOf(feed);
    expect(second - first).toBeGreaterThanOrEqual(RETRY_AFTER_SECONDS * 1000);
  });

  it("stores nothing of a request that was under way at a pause, until the resume, and then once", async () => {
    const feed = "/slow";
    publish(feed, "one");
    const release = hold(feed);
    const insight = await follow(feed);
    await requested(feed);
    await client.change(insight, "pause");
    release();
    await pollsGoOn();
    const requests = feeds.timesOf(feed).length;
    await pollsGoOn();
    expect(await client.read(insight)).toMatchObject({ status: "paused", posting_count: 0 });
    expect(feeds.timesOf(feed)).toHaveLength(requests);
    await client.change(insight, "resume");
    await holds(insight, "one");
  });

  it("ends a storm of pauses and resumes in the state that was acknowledged last", async () => {
    const feed = "/storm";
    publish(feed, "one");
    const insight = await follow(feed);
    for (const last of ["pause", "resume", "pause"] as const) {
      const storm = Array.from({ length: 20 }, (_, index) =>
        client.change(insight, index % 2 === 0 ? "pause" : "resume"),
      );
      await Promise.all(storm);
      await client.change(insight, last);
      expect(await client.read(insight)).toMatchObject({ status: last === "pause" ? "paused" : "running" });
    }
    const before = await client.read(insight);
    publish(feed, "two");
    await pollsGoOn();
    expect(await client.read(insight)).toMatchObject({ posting_count: before?.posting_count });
    await client.change(insight, "resume");
    await holds(insight, "one", "two");
  });

  it("stays paused over a crash, and continues from its position after the resume", async () => {
    const feed = "/crash";
    publish(feed, "one");
    const insight = await follow(feed);
    await holds(insight, "one");
    await client.change(insight, "pause");
    await deployment.end("SIGKILL");
    publish(feed, "two");
    deployment.start();
    await deployment.ready();
    await pollsGoOn();
    expect(await client.read(insight)).toMatchObject({ status: "paused", posting_count: 1 });
    await client.change(insight, "resume");
    await holds(insight, "one", "two");
    expect(await client.read(insight)).toMatchObject({ posting_count: 2 });
  });
});

describe("a worker that is frozen for longer than its lease", () => {
  beforeAll(() => open(2));
  afterAll(close);

  it("stores nothing when it thaws after a pause", async () => {
    const feed = "/frozen";
    publish(feed, "one");
    const workers = [deployment.part("worker-1"), deployment.part("worker-2")];
    const release = hold(feed);
    const insight = await follow(feed);
    await requested(feed);
    await freezeBetweenWrites(workers);
    release();
    await client.change(insight, "pause");
    await pause(1500); // longer than the lease
    for (const worker of workers) worker.thaw();
    await pollsGoOn();
    expect(await client.read(insight)).toMatchObject({ status: "paused", posting_count: 0 });
    await client.change(insight, "resume");
    await holds(insight, "one");
    expect(await client.read(insight)).toMatchObject({ posting_count: 1 });
  });
});
