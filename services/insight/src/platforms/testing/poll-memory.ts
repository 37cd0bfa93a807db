import { TwitterUpstream } from "@hourglass/demo";
import { TWITTER } from "../twitter/index.js";
import { ConnectorWorld } from "./connector-world.js";

/**
 * `node --expose-gc poll-memory.js PAGES`: polls a platform whose search has that many pages of 100 postings, and stores
 * them. Prints the bytes of the heap and the resident ones after the first turn and after the last page as JSON.
 */
const TOKEN = "AAAA-secret-token";
const PAGE = 100;
const HOUR_MS = 60 * 60_000;
const TURNS_MAX = 100;

interface Sample {
  readonly pages: number;
  readonly heap: number;
  readonly resident: number;
}

const pages = Number(process.argv[2]);
const opened = await ConnectorWorld.open({
  module: TWITTER,
  start: (now) => TwitterUpstream.start({ token: TOKEN, now }),
  env: ({ origin }) => ({
    TWITTER_BEARER_TOKEN: TOKEN,
    TWITTER_BASE_URL: origin,
    TWITTER_POSTS_PER_MONTH: "3000000",
  }),
});
const { upstream, world } = opened;
upstream.window.limit = pages + 1;
for (let number = 0; number < pages * PAGE; number += 1) upstream.post({ at: world.time - HOUR_MS - number * 1000 });
const insight = await opened.insight();
const worker = world.worker();
const samples: Sample[] = [];
for (let turn = 0; turn < TURNS_MAX && upstream.seen.length < pages; turn += 1) {
  await worker.pollNext();
  globalThis.gc?.();
  const { heapUsed: heap, rss: resident } = process.memoryUsage();
  samples.push({ pages: upstream.seen.length, heap, resident });
}
const stored = (await opened.stored(insight)).length;
await opened.close();
process.stdout.write(JSON.stringify({ early: samples[0], late: samples.at(-1), stored }));
