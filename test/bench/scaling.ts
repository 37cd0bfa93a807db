import path from "node:path";
import { TEXTUAL_ANALYSES } from "@hourglass/analysis";
import { ROOT, signIn } from "./child.js";
import { settingsOf, type Tier } from "./engines.js";
import type { Measurement } from "./measure.js";
import { awaitDone, createOperation, type Api } from "./operations.js";
import { startParts } from "./parts.js";
import type { Servers } from "./servers.js";
import { benchTexts } from "./texts.js";

const WORKERS = [1, 2, 4];

interface Load {
  name: string;
  /** Entry file of the workers; the product's own if absent. */
  workerEntry?: string;
  operations: number;
  texts: number;
  analyses: readonly string[];
  env?: Record<string, string>;
}

const LOADS: Load[] = [
  {
    name: "waiting stub",
    workerEntry: path.join(ROOT, "test/dist/bench/stub-worker.js"),
    operations: 400,
    texts: 1,
    analyses: ["sentiment-simple"],
  },
  sixAnalyses("accurate"),
  sixAnalyses("fast"),
];

function sixAnalyses(tier: Tier): Load {
  const engines = Object.entries(settingsOf(tier).engines ?? {}) as [string, string][];
  const variable = (analysis: string) => `ENGINE_${analysis.toUpperCase().replaceAll("-", "_")}`;
  return {
    name: `six analyses of 20 texts, ${tier}`,
    operations: 120,
    texts: 20,
    analyses: TEXTUAL_ANALYSES,
    env: Object.fromEntries(engines.map(([analysis, engine]) => [variable(analysis), engine])),
  };
}

/**
 * Operations per second with 1, 2 and 4 worker processes, from a backlog, compared with one worker; and the processor time
 * of all processes for each, which hardly depends on what else the machine does.
 */
export async function measureScaling(servers: Servers[]): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const load of LOADS) {
    for (const server of servers) {
      let single: number | undefined;
      for (const workers of WORKERS) {
        const { perSecond, cpuMs } = await throughput(load, server, workers);
        single ??= perSecond;
        rows.push({
          name: `${load.name}, ${workers} workers, ${server.name}`,
          value: `${perSecond.toFixed(0)} operations/s, ${cpuMs.toFixed(0)} ms CPU each`,
          baseline: `1 worker ${single.toFixed(0)}`,
          ratio: perSecond / single,
          target: "",
        });
      }
    }
  }
  return rows;
}

interface Throughput {
  perSecond: number;
  /** Of all processes, for an operation. */
  cpuMs: number;
}

/** Measured between the first and the last end, so that starting the workers does not count. */
async function throughput(load: Load, { env }: Servers, workers: number): Promise<Throughput> {
  const own = { ...env, ...load.env, ANALYSIS_THREADS: "1", ...ownNames(env) };
  const { workerEntry } = load;
  const parts = await startParts(own, { workers, ...(workerEntry === undefined ? {} : { workerEntry }) });
  try {
    const api: Api = { url: parts.url, authorization: await signIn(parts.url) };
    const texts = benchTexts(load.texts);
    const ids: number[] = [];
    while (ids.length < load.operations) {
      const some = Array.from({ length: 20 }, () => createOperation(api, texts, load.analyses));
      ids.push(...(await Promise.all(some)));
    }
    await Promise.all(Array.from({ length: workers }, () => parts.startWorker()));
    const cpuBefore = await parts.cpuSeconds();
    const ends: number[] = [];
    for (const id of ids) ends.push(Date.parse((await awaitDone(api, id)).finished_at ?? ""));
    return {
      perSecond: ((ids.length - 1) * 1000) / (Math.max(...ends) - Math.min(...ends)),
      cpuMs: ((await parts.cpuSeconds()) - cpuBefore) * (1000 / ids.length),
    };
  } finally {
    await parts.close();
  }
}

/** Each run starts with empty data, in MongoDB and RabbitMQ, too. */
export function ownNames({ MONGODB_URL }: Record<string, string>): Record<string, string> {
  const name = `bench-${process.pid}-${Date.now()}`;
  if (MONGODB_URL === undefined) return { AMQP_PREFIX: name };
  const url = new URL(MONGODB_URL);
  url.pathname = `/${name}`;
  return { MONGODB_URL: url.href, AMQP_PREFIX: name };
}
