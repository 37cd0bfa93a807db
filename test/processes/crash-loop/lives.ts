import type { Deployment } from "../../support/deployment.js";
import { LIMITS } from "../../support/limits.js";
import type { Exit, Part } from "../../support/part.js";
import type { Random } from "./random.js";

/** How a life ends; failpoints are those of different parts. */
export type Life = { kind: "kill" | "term" } | { kind: "failpoints"; names: readonly string[] };

export interface LivesOptions {
  /** A part dies once at each of these steps. */
  failpoints: readonly string[];
  /** Number of lives that end by kill -9 at a random moment. */
  kills: number;
  /** Number of lives that end by SIGTERM. */
  terms: number;
}

/** What the lives take place in. */
export interface Stage {
  deployment: Deployment;
  random: Random;
  /** Receives sentences about lives that did not end as planned. */
  broken: string[];
  /** Its limits are lifted while a part waits for its failpoint, which needs traffic. */
  traffic: { unlimited: boolean };
  /** Maximum duration of a life after it is ready. */
  lifeMaxMs: number;
  /** A part dies at this pass of its failpoint at the latest. Default 2. */
  passesMax?: number;
  /** Work that is seldom due; a part dies at the first pass of its failpoints. */
  seldom?: SeldomWork;
  /** Called after each violent end. */
  afterKill?: () => Promise<void>;
  /** Gives up, even in the middle of a life. */
  over: AbortSignal;
}

/** Kinds of work that is due only after a death, or only much later than what it follows from. */
export interface SeldomWork {
  /** The step at which a part dies first, so that there is such work; undefined: there always is some. */
  readonly leftBy: Readonly<Record<string, string | undefined>>;
  /** Makes all of it due at once; called while the parts are down that are to die next. */
  makeDue(): Promise<void>;
}

/** All lives, in random order. */
export function planLives({ failpoints, kills, terms }: LivesOptions, deployment: Deployment, random: Random): Life[] {
  const killed = Array.from({ length: kills }, (): Life => ({ kind: "kill" }));
  const ended = Array.from({ length: terms }, (): Life => ({ kind: "term" }));
  return random.shuffle([...groupByLife(failpoints, deployment, random), ...killed, ...ended]);
}

/** Every failpoint once; parts that are their own processes die in the same life, each at one of its failpoints. */
function groupByLife(failpoints: readonly string[], deployment: Deployment, random: Random): Life[] {
  const lives: string[][] = [];
  const used = new Map<string, number>();
  for (const name of random.shuffle(failpoints)) {
    const part = deployment.partOfStep(name).name;
    const index = used.get(part) ?? 0;
    used.set(part, index + 1);
    (lives[index] ??= []).push(name);
  }
  return lives.map((names) => ({ kind: "failpoints", names }));
}

/** Lives them one after another and prints how long each took; afterwards everything runs. */
export async function liveAll(lives: readonly Life[], stage: Stage): Promise<void> {
  const { deployment, over } = stage;
  const gaveUp = new Promise<never>((_, reject) => {
    over.addEventListener("abort", () => reject(over.reason as Error), { once: true });
  });
  gaveUp.catch(() => undefined); // also rejects once all lives are over
  for (const [index, life] of lives.entries()) {
    over.throwIfAborted();
    const startedAt = performance.now();
    const what = life.kind === "failpoints" ? life.names.join(" and ") : life.kind;
    await Promise.race([live(life, stage), gaveUp]).finally(() => {
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      process.stdout.write(`life ${index + 1} of ${lives.length}, ${what}: ${seconds} s\n`);
    });
  }
  deployment.start();
  await deployment.ready();
}

/** The rest of the life of one part, to its end; it is not restarted. */
async function live(life: Life, stage: Stage): Promise<void> {
  if (life.kind === "failpoints") {
    await dieAtFailpoints(life.names, stage);
    return;
  }
  const { deployment, random, broken, lifeMaxMs } = stage;
  deployment.start();
  // Sometimes it dies before it is ready: recovery must handle that, too.
  const early = life.kind === "kill" && random.chance(0.25);
  if (!early) await deployment.ready();
  await pause(random.between(50, lifeMaxMs));
  const victim = deployment.parts[random.between(0, deployment.parts.length - 1)];
  const exit = await victim?.end(life.kind === "kill" ? "SIGKILL" : "SIGTERM");
  if (life.kind === "kill") await stage.afterKill?.();
  if (life.kind === "term" && exit?.code !== 0) {
    broken.push(`SIGTERM ended ${victim?.name} with code ${exit?.code}; ${endOfLog(victim)}`);
  }
}

async function dieAtFailpoints(names: readonly string[], stage: Stage): Promise<void> {
  const { deployment, random, traffic, passesMax = 2, seldom } = stage;
  const victims = names.map((name) => ({ name, part: deployment.partOfStep(name) }));
  const kinds = names.map(kindOf).filter((kind) => kind in (seldom?.leftBy ?? {}));
  traffic.unlimited = true;
  for (const step of new Set(kinds.flatMap((kind) => seldom?.leftBy[kind] ?? []))) {
    const part = deployment.partOfStep(step);
    await killAll([part], stage);
    part.start({ FAILPOINTS: `${step}=1` });
    deployment.start();
    await mustDie(step, part, stage);
  }
  await killAll(
    victims.map(({ part }) => part),
    stage,
  );
  // Work of which there always is some needs no traffic, which would only let more work wait before it.
  traffic.unlimited = victims.some(({ name }) => !isAlwaysThere(kindOf(name), seldom));
  if (kinds.length > 0) await seldom?.makeDue();
  for (const { name, part } of victims) {
    const pass = kinds.includes(kindOf(name)) ? 1 : random.between(1, passesMax);
    part.start({ FAILPOINTS: `${name}=${pass}` });
  }
  deployment.start();
  await Promise.all(
    victims.map(async ({ name, part }) => {
      await mustDie(name, part, stage);
      // The others may need this part to reach their own failpoints.
      if (victims.length > 1) part.start();
    }),
  );
  traffic.unlimited = false;
}

/** The kind of work that passes the step, for example `erasure` for `worker.erasure.after_lease`. */
function kindOf(step: string): string {
  return step.replace(/^worker\./, "").replace(/\..*$/, "");
}

function isAlwaysThere(kind: string, seldom: SeldomWork | undefined): boolean {
  const { leftBy = {} } = seldom ?? {};
  return kind in leftBy && leftBy[kind] === undefined;
}

async function killAll(parts: readonly Part[], { afterKill }: Stage): Promise<void> {
  await Promise.all(parts.map((part) => part.end("SIGKILL")));
  await afterKill?.();
}

/** Waits until a part has died at the step; that it does not is a broken promise. */
async function mustDie(step: string, part: Part, stage: Stage): Promise<void> {
  const exit = await part.ended(LIMITS.test);
  if (exit?.signal !== "SIGKILL") stage.broken.push(`${step} was not passed: ${endingOf(exit)}; ${endOfLog(part)}`);
  await killAll([part], stage);
}

function endingOf(exit: Exit | undefined): string {
  return exit === undefined ? "it lives" : `it ended with ${exit.signal ?? exit.code}`;
}

/** Enough for the end of one life. */
const LOG_LINES = 10;

function endOfLog(part: Part | undefined): string {
  return `the last lines of its log:\n${part?.lastLines.slice(-LOG_LINES).join("\n")}`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
