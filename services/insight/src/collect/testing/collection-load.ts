import { setTimeout as sleep } from "node:timers/promises";
import { NO_MEASUREMENTS, type ObserveSeconds } from "@hourglass/runtime";
import { startCollector } from "../schedule/collector.js";
import { CollectWorld } from "./collect-world.js";
import { draft } from "./drafts.js";
import { FakePlatform } from "./fake-platform.js";
import { addInsights, PLATFORMS } from "./many-searches.js";

/**
 * `collection-load.js INSIGHTS SECONDS`: collects for insights with two platforms each, which are polled every five
 * minutes and answer in 100 ms. Prints the delays of the polls and the processor time as JSON.
 */
const [insights = 0, seconds = 0] = process.argv.slice(2).map(Number);

const ANSWER_MS = 100;
const PAGE = 20;
const INTERVAL_MS = 300_000;

class SteadyPlatform extends FakePlatform {
  private pages = 0;

  override async fetchPage() {
    const page = (this.pages += 1);
    await sleep(ANSWER_MS);
    const postings = Array.from({ length: PAGE }, (_, index) => draft(page * PAGE + index, { postedAt: Date.now() }));
    return { postings, skipped: 0, requests: 1, nextPage: null, cursor: page };
  }
}

const world = await CollectWorld.open();
await addInsights(world, insights, () => Date.now() + Math.random() * INTERVAL_MS);
for (const platform of PLATFORMS) world.platforms.set(platform, { connector: new SteadyPlatform() });
const lags: number[] = [];
const duration = (name: string): ObserveSeconds<string> =>
  name === "hourglass_collect_lag_seconds" ? (_labels, lag) => void lags.push(lag) : () => undefined;
await sleep(500);
const before = process.cpuUsage();
const running = startCollector({ ...world.deps(), now: Date.now, metrics: { ...NO_MEASUREMENTS, duration } });
await sleep(seconds * 1000);
const { user, system } = process.cpuUsage(before);
await running.stop(5000);
await world.close();
lags.sort((a, b) => a - b);
const p99 = lags[Math.ceil(lags.length * 0.99) - 1] ?? 0;
process.stdout.write(JSON.stringify({ polls: lags.length, p99, cpuSeconds: (user + system) / 1e6 }));
