import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NEWS_FAILPOINTS } from "../index.js";
import { numberedItems, rss } from "../testing/feeds.js";
import { HOUR, MINUTE, NewsWorld, Poller } from "../testing/news-world.js";

/** A process cannot run the sources. */
const BUILT = new URL("../../../../dist/platforms/news/index.js", import.meta.url).href;
/** Polls a feed once, and is killed at a failpoint. */
const VICTIM = `
import { armFailpoints, createHttpClient, createLogger, openSqliteStore } from "@hourglass/runtime";
import { NEWS } from "${BUILT}";
const { dataDir, feed, time, failpoint } = JSON.parse(process.argv[1]);
const log = createLogger("silent");
const store = await openSqliteStore({ dataDir, log });
const http = createHttpClient({ allowPrivateUrls: true });
const collectInterval = { intervalMs: 300000, isExplicit: false };
const { connector } = await NEWS.open({ store, http, log, collectInterval, now: () => time }, { NEWS_FEEDS: [feed], NEWS_GDELT: 'off' });
armFailpoints(failpoint);
const search = { follow: { feeds: [] }, preview: false };
await connector.fetchPage({ search, cursor: null, pageToken: null, since: 0, startedAt: 0, limit: 9, signal: new AbortController().signal });
`;

let world: NewsWorld;
beforeEach(async () => {
  world = await NewsWorld.open();
});
afterEach(() => world.close());

async function killAt(failpoint: string, feed: string): Promise<void> {
  const given = JSON.stringify({ dataDir: world.dataDir, feed, time: world.time, failpoint });
  const child = spawn(process.execPath, ["--input-type=module", "-e", VICTIM, given], { stdio: "inherit" });
  const [, signal] = (await once(child, "exit")) as [number | null, string | null];
  expect(signal).toBe("SIGKILL");
}

it.each(NEWS_FAILPOINTS)("a worker that is killed at %s loses no item and gives none out twice", async (failpoint) => {
  const feed = world.server.serve("/a", { body: rss(numberedItems(3, world.time - 5 * MINUTE)), etag: '"1"' });
  const poller = new Poller(world, await world.connector(), [feed]);
  await poller.poll();
  world.server.serve("/a", { body: rss(numberedItems(5, world.time - 3 * MINUTE)), etag: '"2"' });
  world.time += HOUR;
  await killAt(failpoint, feed);

  world.time += 2 * MINUTE;
  for (let polls = 0; polls < 2; polls++) {
    await poller.poll();
    world.time += HOUR;
  }
  const ids = poller.postings.map(({ socialId }) => socialId?.split("/").at(-1));
  expect(ids).toEqual(["1", "2", "3", "4", "5"]);
});
