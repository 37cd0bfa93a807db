import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { JetstreamUpstream } from "@hourglass/demo";
import { createLogger, openSqliteStore } from "@hourglass/runtime";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parseQuery } from "../../query/parser.js";
import { EVERYWHERE } from "../places.js";
import type { Page } from "../connector.js";
import { BlueskyConnector } from "./connector.js";
import { BLUESKY_FAILPOINTS } from "./index.js";
import { StreamStore } from "./store.js";

const MINUTE = 60_000;
/** A process cannot run the sources. */
const DIST = new URL("../../../dist/", import.meta.url).href;
/** Polls once, and is killed at a failpoint. */
const VICTIM = `
import { armFailpoints, createLogger, openSqliteStore } from "@hourglass/runtime";
import { BLUESKY } from "${DIST}platforms/bluesky/index.js";
import { parseQuery } from "${DIST}query/parser.js";
const { dataDir, url, time, failpoint } = JSON.parse(process.argv[1]);
const log = createLogger("silent");
const store = await openSqliteStore({ dataDir, log });
const { connector } = await BLUESKY.open({ store, log, now: () => time }, { BLUESKY_JETSTREAM_URL: url });
armFailpoints(failpoint);
const search = { query: parseQuery("kestrel"), preview: false };
await connector.fetchPage({ search, cursor: null, pageToken: null, since: 0, startedAt: 0, limit: 9, signal: new AbortController().signal });
`;

let folder: string;
let upstream: JetstreamUpstream;
let time: number;
const now = (): number => time;

beforeEach(async () => {
  time = Date.UTC(2026, 10, 22, 12);
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-bluesky-"));
  upstream = await JetstreamUpstream.start({ now });
});
afterEach(async () => {
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

/** A poll by its own process. */
async function poll(cursor: Page["cursor"]): Promise<Page> {
  const log = createLogger("silent");
  const store = await openSqliteStore({ dataDir: folder, log });
  const streams = await StreamStore.open(store, { now });
  const times = { connectMs: 5_000, quietMs: 60_000 };
  const connector = new BlueskyConnector(streams, { url: upstream.url, times, log, now });
  const follow = { feeds: [], subreddits: [], pages: [], organisations: [] };
  const page = await connector.fetchPage({
    search: { query: parseQuery("kestrel"), places: EVERYWHERE, follow, preview: false },
    ...{ cursor, pageToken: null, since: 0, startedAt: time, limit: 100 },
    signal: new AbortController().signal,
  });
  await store.close();
  return page;
}

async function killAt(failpoint: string): Promise<void> {
  const given = JSON.stringify({ dataDir: folder, url: upstream.url, time, failpoint });
  const child = spawn(process.execPath, ["--input-type=module", "-e", VICTIM, given], { stdio: "inherit" });
  const [, signal] = (await once(child, "exit")) as [number | null, string | null];
  expect(signal).toBe("SIGKILL");
}

it.each(BLUESKY_FAILPOINTS)(
  "a worker that is killed at %s loses no post and gives none out twice",
  async (failpoint) => {
    const ids = [3, 2, 1].map((minutes) => upstream.post({ at: time - minutes * MINUTE }));
    const first = await poll(null);
    time += 10 * MINUTE;
    ids.push(...[2, 1].map((minutes) => upstream.post({ at: time - minutes * MINUTE })));
    await killAt(failpoint);
    time += 2 * MINUTE;
    const second = await poll(first.cursor);
    time += 2 * MINUTE;
    const third = await poll(second.cursor);
    const given = [first, second, third].flatMap(({ postings }) => postings.map(({ socialId }) => socialId));
    expect(given).toEqual(ids);
  },
);
