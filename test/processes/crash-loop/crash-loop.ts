import { MEDIA_FAILPOINTS } from "@hourglass/media";
import { OPERATION_FAILPOINTS } from "@hourglass/operation";
import { Deployment, type Topology } from "../../support/deployment.js";
import type { TestStorage } from "../../support/test-storage.js";
import { LIMITS } from "../../support/limits.js";
import type { Exit } from "../../support/part.js";
import { TEST_SETTINGS } from "../../support/server.js";
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

/** How a life ends; failpoints are those of different parts. */
type Life = { kind: "kill" | "term" } | { kind: "failpoints"; names: readonly string[] };

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
    const lives = planLives(options, deployment, random);
    for (const life of lives) {
      over.signal.throwIfAborted();
      await live(life, { deployment, random, promises, traffic, lifeMaxMs: options.lifeMaxMs });
    }
    deployment.start();
    await deployment.ready();
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

function planLives(
  { everyStep = true, kills, terms }: CrashLoopOptions,
  deployment: Deployment,
  random: Random,
): Life[] {
  const failpoints = everyStep ? groupByLife(deployment, random) : [];
  const killed = Array.from({ length: kills }, (): Life => ({ kind: "kill" }));
  const ended = Array.from({ length: terms }, (): Life => ({ kind: "term" }));
  return random.shuffle([...failpoints, ...killed, ...ended]);
}

/** Every failpoint once; parts that are processes of their own die in the same life, each at one of its failpoints. */
function groupByLife(deployment: Deployment, random: Random): Life[] {
  const lives: string[][] = [];
  const used = new Map<string, number>();
  for (const name of random.shuffle([...OPERATION_FAILPOINTS, ...MEDIA_FAILPOINTS])) {
    const part = deployment.partOfStep(name).name;
    const index = used.get(part) ?? 0;
    used.set(part, index + 1);
    (lives[index] ??= []).push(name);
  }
  return lives.map((names) => ({ kind: "failpoints", names }));
}

interface Stage {
  deployment: Deployment;
  random: Random;
  promises: Promises;
  traffic: Traffic;
  lifeMaxMs: number;
}

/** The rest of the life of one part, to its end; it is not restarted. */
async function live(life: Life, { deployment, random, promises, traffic, lifeMaxMs }: Stage): Promise<void> {
  if (life.kind === "failpoints") {
    await dieAtFailpoints(life.names, { deployment, random, promises, traffic });
    return;
  }
  deployment.start();
  // Sometimes it dies before it is ready: recovery must handle that, too.
  const early = life.kind === "kill" && random.chance(0.25);
  if (!early) await deployment.ready();
  await pause(random.between(50, lifeMaxMs));
  const victim = deployment.parts[random.between(0, deployment.parts.length - 1)];
  const exit = await victim?.end(life.kind === "kill" ? "SIGKILL" : "SIGTERM");
  if (life.kind === "term" && exit?.code !== 0) {
    promises.broken.push(`SIGTERM ended ${victim?.name} with code ${exit?.code}`);
  }
}

async function dieAtFailpoints(
  names: readonly string[],
  { deployment, random, promises, traffic }: Omit<Stage, "lifeMaxMs">,
): Promise<void> {
  const victims = names.map((name) => ({ name, part: deployment.partOfStep(name) }));
  traffic.unlimited = true;
  await Promise.all(victims.map(({ part }) => part.end("SIGKILL")));
  for (const { name, part } of victims) part.start({ FAILPOINTS: `${name}=${random.between(1, 2)}` });
  deployment.start();
  await Promise.all(
    victims.map(async ({ name, part }) => {
      const exit = await part.ended(LIMITS.test);
      if (exit?.signal !== "SIGKILL") promises.broken.push(`${name} was not passed: ${endingOf(exit)}`);
      await part.end("SIGKILL");
      // The others may need this part to reach their own failpoints.
      if (victims.length > 1) part.start();
    }),
  );
  traffic.unlimited = false;
}

function endingOf(exit: Exit | undefined): string {
  return exit === undefined ? "it lives" : `it ended with ${exit.signal ?? exit.code}`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
