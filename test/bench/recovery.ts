import { TEXTUAL_ANALYSES } from "@hourglass/analysis";
import { signIn } from "./child.js";
import type { Measurement } from "./measure.js";
import { awaitDone, createOperation, readOperation, type Api } from "./operations.js";
import { startParts } from "./parts.js";
import type { Servers } from "./servers.js";
import { benchTexts } from "./texts.js";

/** The default. */
const LEASE_SECONDS = 15;
/** An operation with this many posts in each text takes a few seconds. */
const POSTS_PER_TEXT = 3;

/** The time from killing an operation's worker to the end of the operation, with another worker running. */
export async function measureRecovery(servers: Servers[]): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const { name, env } of servers) rows.push(await recoveryOn(name, env));
  return rows;
}

async function recoveryOn(name: string, env: Record<string, string>): Promise<Measurement> {
  const parts = await startParts(
    { ...env, LEASE_SECONDS: String(LEASE_SECONDS), ANALYSIS_THREADS: "1" },
    { workers: 2 },
  );
  try {
    const api: Api = { url: parts.url, authorization: await signIn(parts.url) };
    const first = await parts.startWorker();
    const id = await createOperation(api, longTexts(), TEXTUAL_ANALYSES);
    while ((await readOperation(api, id)).status !== "running") await pause(20);
    await parts.startWorker();
    const { status } = await readOperation(api, id);
    if (status !== "running") throw new Error(`the operation was ${status} before its worker could be killed`);
    const begin = performance.now();
    await first.end("SIGKILL");
    await awaitDone(api, id);
    const seconds = (performance.now() - begin) / 1000;
    return {
      name: `worker kill -9 to its operation done, ${name}`,
      value: `${seconds.toFixed(1)} s`,
      baseline: `lease ${LEASE_SECONDS} s`,
      ratio: seconds / LEASE_SECONDS,
      target: "≤ 2.00",
    };
  } finally {
    await parts.close();
  }
}

/** A few seconds of work, so that the second worker is running before it is done. */
function longTexts(): string[] {
  const posts = benchTexts(1000 * POSTS_PER_TEXT);
  const from = (index: number) => index * POSTS_PER_TEXT;
  return Array.from({ length: 1000 }, (_, index) => posts.slice(from(index), from(index + 1)).join(" "));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
