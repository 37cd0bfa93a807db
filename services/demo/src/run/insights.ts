import { setTimeout as sleep } from "node:timers/promises";
import { DEMO_PLATFORMS, type StreamPosting } from "../stream/posting.js";
import { archivedRow } from "./archive.js";
import type { Client, InsightState } from "./client.js";
import { DemoError } from "./options.js";

const ASK_EVERY_MS = 500;
const REPORT_EVERY_MS = 3000;
/** The first requests to paste are wanted within a minute, on slow machines with part of the postings. */
const PATIENCE_MS = 45_000;
const PATIENCE_MS_MAX = 10 * 60_000;
const ANALYSED_MIN = 100;

/** Ids of the insights of the demo. */
export interface DemoInsights {
  readonly running: number;
  readonly preview: number;
  readonly paused: number;
}

/** Creates a running insight with an archive, a preview, and one that will be paused. */
export async function createInsights(client: Client, archive: readonly StreamPosting[]): Promise<DemoInsights> {
  const query = (keywords: string, platforms: readonly string[] = DEMO_PLATFORMS) => ({
    ...{ keywords, platforms, dimensions: ["textual"] },
  });
  const running = await client.create(query("kestrel OR merlin OR osprey"));
  const preview = await client.create({ ...query("merlin bike"), sneak_peek: true });
  const paused = await client.create(query("osprey -kestrel", ["twitter", "reddit", "facebook"]));
  if (archive.length > 0) await client.bringIn(running, archive.map(archivedRow));
  return { running, preview, paused };
}

export interface Waiting {
  readonly signal: AbortSignal;
  /** Receives a line about the progress, every few seconds. */
  readonly report: (line: string) => void;
  /** When the demo was started, by `performance.now()`. */
  readonly startedAt: number;
}

/**
 * Resolves with the running insight when all platforms were read and all postings are analysed; on a slow machine, when the
 * time is up and a hundred are. Throws DemoError after ten minutes.
 */
export async function untilAnalysed(client: Client, id: number, waiting: Waiting): Promise<InsightState> {
  const { signal, report, startedAt } = waiting;
  let reportedAt = -Infinity;
  for (;;) {
    const insight = await client.read(id);
    const passed = performance.now() - startedAt;
    if (isComplete(insight) || (passed > PATIENCE_MS && isEnough(insight))) return insight;
    if (passed > PATIENCE_MS_MAX) throw new DemoError(`Nothing to show after ten minutes: ${stateOf(insight)}`);
    if (passed - reportedAt >= REPORT_EVERY_MS) {
      reportedAt = passed;
      report(stateOf(insight));
    }
    await sleep(ASK_EVERY_MS, undefined, { signal });
  }
}

/** Pauses an insight that has collected something. */
export async function pauseOnceCollected(client: Client, id: number, { signal }: Waiting): Promise<void> {
  while ((await client.read(id)).posting_count === 0) await sleep(ASK_EVERY_MS, undefined, { signal });
  await client.pause(id);
}

export function analysedOf({ posting_count: all, unanalysed_count: waiting }: InsightState): number {
  return all - waiting;
}

function isComplete(insight: InsightState): boolean {
  return (
    insight.unanalysed_count === 0 && areAllRead(insight) && insight.platforms.every(({ state }) => state === "waiting")
  );
}

function isEnough(insight: InsightState): boolean {
  return areAllRead(insight) && analysedOf(insight) >= ANALYSED_MIN;
}

function areAllRead({ platforms }: InsightState): boolean {
  return platforms.every(({ counts }) => counts.stored > 0);
}

function stateOf(insight: InsightState): string {
  const { platforms, posting_count: all } = insight;
  const read = platforms.filter(({ counts }) => counts.stored > 0).length;
  const errors = platforms.flatMap(({ platform, last_error: error }) =>
    error === null ? [] : [`${platform}: ${error}`],
  );
  const figures = `${analysedOf(insight)} of ${all} postings analysed, ${read} of ${platforms.length} platforms read`;
  return [figures, ...errors].join("; ");
}
