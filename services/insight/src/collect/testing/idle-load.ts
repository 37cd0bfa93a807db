import { setTimeout as sleep } from "node:timers/promises";
import { NO_MEASUREMENTS, type Stoppable } from "@hourglass/runtime";
import { startAnalysis } from "../../postings/analyse/start-analysis.js";
import { startSweeper } from "../../postings/sweeping/start-sweeper.js";
import { StubFiles, StubTexts } from "../../postings/testing/stub-analysts.js";
import { startCollector } from "../schedule/collector.js";
import { CHECK_EVERY_MS } from "../pace/policy.js";
import { CollectWorld } from "./collect-world.js";
import { addInsights } from "./many-searches.js";

/**
 * `idle-load.js COUNT…`: the background work of servers with so many insights each, of which none is due. Prints the
 * shares of a core that it takes as JSON. They work by turns in one process, so that both have the same load beside
 * them, and check this many times as often, so that the checks are what is measured.
 */
const SPEED = 50;
const TURNS = 12;
const TURN_MS = 1_500;
const HOUR_MS = 3_600_000;

async function openIdle(insights: number): Promise<CollectWorld> {
  const world = await CollectWorld.open();
  await addInsights(world, insights, () => Date.now() + HOUR_MS);
  return world;
}

/** What a worker with all roles of insights runs. */
function startAll(world: CollectWorld): Stoppable[] {
  const { store, collections, log } = world;
  const shared = { store, collections, log, now: Date.now, metrics: NO_MEASUREMENTS };
  const everyMs = CHECK_EVERY_MS / SPEED;
  return [
    startCollector({ ...world.deps(), now: Date.now }, { checkEveryMs: everyMs }),
    startSweeper({ ...shared, everyMs, retentionDays: {} }),
    startAnalysis({ ...shared, texts: new StubTexts(), files: new StubFiles(), idleMs: everyMs / 2 }),
  ];
}

/** Processor time of one turn, in microseconds. */
async function takeTurn(world: CollectWorld): Promise<number> {
  const running = startAll(world);
  const before = process.cpuUsage();
  await sleep(TURN_MS);
  const { user, system } = process.cpuUsage(before);
  await Promise.all(running.map((part) => part.stop(1000)));
  return user + system;
}

const worlds = await Promise.all(process.argv.slice(2).map((count) => openIdle(Number(count))));
const times = worlds.map((): number[] => []);
for (let turn = 0; turn < TURNS; turn++) {
  for (const [index, world] of worlds.entries()) times[index]?.push(await takeTurn(world));
}
for (const world of worlds) await world.close();
const medians = times.map((each) => each.sort((a, b) => a - b)[Math.floor(each.length / 2)] ?? 0);
process.stdout.write(JSON.stringify(medians.map((time) => time / 1000 / TURN_MS / SPEED)));
