import { MEDIA_FAILPOINTS } from "@hourglass/media";
import { OPERATION_FAILPOINTS } from "@hourglass/operation";
import { Deployment, type Topology } from "../../support/deployment.js";
import type { TestStorage } from "../../support/test-storage.js";
import { TEST_SETTINGS } from "../../support/server.js";
import { liveAll, planLives } from "./lives.js";
import { Promises } from "./promises.js";
import { Random } from "./random.js";
import { signIn } from "./sign-in.js";
import { Traffic } from "./traffic.js";
import { describeVerdict, reachVerdict, type Verdict } from "./verdict.js";

export interface CrashLoopOptions {
  /** Location of the state; removed at the end. */
  testStorage: TestStorage;
  topology: Topology;
  /** Number of worker processes, if workers are processes. Default 1. */
  workers?: number;
  leaseSeconds: number;
  seed: number;
  /** Minimum number of accepted operations, and the maximum unless more are needed to reach a named step. */
  operationsMin: number;
  operations: number;
  /** Whether a part also dies once at every named step. Default true. */
  everyStep?: boolean;
  /** Number of lives that end by kill -9 at a random moment. */
  kills: number;
  /** Number of lives that end by SIGTERM. */
  terms: number;
  clients: number;
  /** Maximum duration of a life after it is ready. */
  lifeMaxMs: number;
  /** Time for all operations to end after the last start. */
  drainMs: number;
  /** Timeout of the run, which then throws. */
  giveUpMs: number;
}

/** The result of the run. */
export interface CrashReport extends Verdict {
  seed: number;
  lives: number;
  seconds: number;
}

/** Runs the product while its processes die repeatedly: at random, and once at every named step. */
export async function runCrashLoop(options: CrashLoopOptions): Promise<CrashReport> {
  const startedAt = performance.now();
  const deployment = await prepare(options);
  const random = new Random(options.seed);
  const promises = new Promises();
  const over = new AbortController();
  const giveUp = setTimeout(
    () => over.abort(new Error(`the crash loop took over ${options.giveUpMs} ms`)),
    options.giveUpMs,
  );
  try {
    deployment.start();
    await deployment.ready();
    const authorization = await signIn(deployment.url);
    const { operations, clients } = options;
    const { url } = deployment;
    const traffic = new Traffic({ url, authorization, random, promises, operations, over: over.signal }, clients);
    const { lifeMaxMs, everyStep = true } = options;
    const stage = { deployment, random, traffic, broken: promises.broken, lifeMaxMs, over: over.signal };
    const failpoints = everyStep ? [...OPERATION_FAILPOINTS, ...MEDIA_FAILPOINTS] : [];
    const lives = planLives({ ...options, failpoints }, deployment, random);
    await liveAll(lives, stage);
    while (promises.accepted.length < options.operationsMin && !over.signal.aborted) await pause(50);
    await traffic.stop();
    const verdict = await reachVerdict(deployment, traffic, { promises, drainMs: options.drainMs });
    verdict.broken.push(...(await deployment.end("SIGTERM")));
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return { seed: options.seed, lives: lives.length, seconds, ...verdict };
  } finally {
    clearTimeout(giveUp);
    over.abort();
    await deployment.end("SIGKILL");
    await options.testStorage.remove();
  }
}

/** One line for a person, with the violations in full. */
export function describeReport({ seed, lives, seconds, ...verdict }: CrashReport): string {
  const broken = verdict.broken.map((sentence) => `; ${sentence}`).join("");
  return `seed ${seed}, lives ${lives}, seconds ${seconds}, ${describeVerdict(verdict)}${broken}`;
}

function prepare({ testStorage, topology, workers, leaseSeconds }: CrashLoopOptions): Promise<Deployment> {
  return Deployment.prepare({
    topology,
    env: {
      ...TEST_SETTINGS,
      ...testStorage.env,
      NODE_ENV: "test",
      LOG_LEVEL: "info",
      LEASE_SECONDS: String(leaseSeconds),
    },
    ...(workers === undefined ? {} : { workers }),
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
