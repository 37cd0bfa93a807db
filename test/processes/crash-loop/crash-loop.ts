import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { OPERATION_FAILPOINTS } from "@hourglass/operation";
import { EMAIL, PASSWORD } from "../../support/server.js";
import { Product } from "./product.js";
import { Promises } from "./promises.js";
import { Random } from "./random.js";
import { Traffic } from "./traffic.js";

export interface CrashLoopOptions {
  seed: number;
  /** Operations to be accepted, at least, and at most before more are needed to pass a step that has a name. */
  operationsMin: number;
  operations: number;
  /** Lives that end by kill -9 at a random moment. */
  kills: number;
  /** Lives that end by SIGTERM. */
  terms: number;
  clients: number;
  /** How long a life lasts after it is ready, at most. */
  lifeMaxMs: number;
  /** For all to end after the last start. */
  drainMs: number;
  /** After so long the run is given up, and throws. */
  giveUpMs: number;
}

/** What came of it. `lost`, `twice` and `broken` must be empty. */
export interface CrashReport {
  seed: number;
  lives: number;
  accepted: number;
  deleted: number;
  done: number;
  failed: number;
  /** Ids that never ended. */
  lost: number[];
  /** Ids that ended more than once, or changed after their end. */
  twice: number[];
  /** Everything else that was promised and not kept. */
  broken: string[];
  seconds: number;
}

type Life = { kind: "kill" | "term" } | { kind: "failpoint"; name: string };

/** Drives the product while its process dies again and again: at random, and once at every step that has a name. */
export async function runCrashLoop(options: CrashLoopOptions): Promise<CrashReport> {
  const startedAt = performance.now();
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-crash-"));
  const product = await Product.prepare(dataDir);
  const random = new Random(options.seed);
  const promises = new Promises();
  const over = new AbortController();
  const giveUp = setTimeout(
    () => over.abort(new Error(`the crash loop took over ${options.giveUpMs} ms`)),
    options.giveUpMs,
  );
  try {
    product.start();
    await product.ready();
    const authorization = await signIn(product.url);
    const { url } = product;
    const { operations, clients } = options;
    const traffic = new Traffic({ url, authorization, random, promises, operations, over: over.signal }, clients);
    await product.end("SIGKILL");
    const lives = planLives(options, random);
    for (const life of lives) {
      over.signal.throwIfAborted();
      await live(life, { product, random, promises, traffic, lifeMaxMs: options.lifeMaxMs });
    }
    product.start();
    await product.ready();
    while (promises.accepted.length < options.operationsMin && !over.signal.aborted) await pause(50);
    await traffic.stop();
    const lost = await drain(traffic, promises, options.drainMs);
    await product.end("SIGTERM");
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return { seed: options.seed, lives: lives.length, seconds, ...judge(product, promises), lost };
  } finally {
    clearTimeout(giveUp);
    over.abort();
    await product.end("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** One line for a person. */
export function describeReport({ lost, twice, broken, ...figures }: CrashReport): string {
  const faults = { lost: lost.length, twice: twice.length, broken: broken.length };
  return Object.entries({ ...figures, ...faults })
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

function planLives({ kills, terms }: CrashLoopOptions, random: Random): Life[] {
  const failpoints = OPERATION_FAILPOINTS.map((name): Life => ({ kind: "failpoint", name }));
  const killed = Array.from({ length: kills }, (): Life => ({ kind: "kill" }));
  const ended = Array.from({ length: terms }, (): Life => ({ kind: "term" }));
  return random.shuffle([...failpoints, ...killed, ...ended]);
}

interface Stage {
  product: Product;
  random: Random;
  promises: Promises;
  traffic: Traffic;
  lifeMaxMs: number;
}

/** One life, from its start to its end. */
async function live(life: Life, { product, random, promises, traffic, lifeMaxMs }: Stage): Promise<void> {
  if (life.kind === "failpoint") {
    traffic.unlimited = true;
    product.start(`${life.name}=${random.between(1, 2)}`);
    const exit = await product.ended(FAILPOINT_WITHIN_MS);
    traffic.unlimited = false;
    if (exit?.signal !== "SIGKILL") promises.broken.push(`${life.name} was not passed`);
    await product.end("SIGKILL");
    return;
  }
  product.start();
  // Now and then it dies before it is ready: recovery must bear that, too.
  const early = life.kind === "kill" && random.chance(0.25);
  if (!early) await product.ready();
  await pause(random.between(50, lifeMaxMs));
  const { code } = await product.end(life.kind === "kill" ? "SIGKILL" : "SIGTERM");
  if (life.kind === "term" && code !== 0) promises.broken.push(`SIGTERM ended it with code ${code}`);
}

const FAILPOINT_WITHIN_MS = 20_000;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/users/sign_in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ user: { email: EMAIL, password: PASSWORD } }),
  });
  const authorization = response.headers.get("authorization");
  if (authorization === null) throw new Error(`sign-in was answered ${response.status}`);
  return authorization;
}

/** Waits for all to end; returns the ids that do not. Then reads each again, when nothing may change any more. */
async function drain(traffic: Traffic, promises: Promises, drainMs: number): Promise<number[]> {
  const giveUpAt = performance.now() + drainMs;
  const lost: number[] = [];
  for (const promised of promises.due) {
    if (!(await traffic.awaitEnd(promised, giveUpAt))) lost.push(promised.id ?? 0);
  }
  for (const promised of promises.due) await traffic.read(promised);
  return lost;
}

function judge(product: Product, promises: Promises): Omit<CrashReport, "seed" | "lives" | "seconds" | "lost"> {
  const ids = new Set(promises.due.map(({ id }) => id));
  const again = [...product.endings].filter(([id, times]) => ids.has(id) && times > 1).map(([id]) => id);
  return {
    accepted: promises.accepted.length,
    deleted: promises.accepted.length - promises.due.length,
    done: promises.count("done"),
    failed: promises.count("failed"),
    twice: [...new Set([...again, ...promises.changed])],
    broken: [...promises.broken, ...product.errors],
  };
}
