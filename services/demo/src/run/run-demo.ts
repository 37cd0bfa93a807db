import { randomBytes } from "node:crypto";
import { STORY_DAYS } from "../stream/story.js";
import { Stream } from "../stream/stream.js";
import { Client, type Credentials } from "./client.js";
import { openDataFolder } from "./data-folder.js";
import { type Fakes, settingsFor, startFakes, stopFakes } from "./fakes.js";
import { freePort } from "./free-port.js";
import { analysedOf, createInsights, pauseOnceCollected, untilAnalysed, type Waiting } from "./insights.js";
import type { DemoOptions } from "./options.js";
import { Product } from "./product.js";
import { Publisher } from "./publisher.js";
import { requestsToPaste } from "./requests.js";

const SEED = 20_261_122;
const MINUTE_MS = 60_000;
/** How far back a new insight is given postings by platforms. */
const LOOK_BACK_MS = 7 * 24 * 60 * MINUTE_MS;
const INTERVAL_SECONDS = 10;

/** Where the demo says something. */
export interface Voice {
  /** About its progress. */
  readonly report: (line: string) => void;
  /** What the person wants to have. */
  readonly print: (text: string) => void;
}

/** Runs the demo until the signal aborts; then, or after a failure, nothing of it is left running. */
export async function runDemo(options: DemoOptions, voice: Voice, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const folder = await openDataFolder(options.dataDir);
  const fakes = await startFakes();
  const user = { email: "demo@example.com", password: randomBytes(12).toString("base64url") };
  const port = await freePort(options.port);
  const product = Product.start({ port, folder: folder.path, settings: settingsOf(fakes, user) });
  const kill = (): void => product.kill();
  process.once("exit", kill);
  try {
    voice.report(`Starting ${product.url}; its data and log are in ${folder.path}`);
    await present({ options, voice, fakes, product, user }, { signal, report: voice.report, startedAt });
  } finally {
    await product.stop();
    await stopFakes(fakes);
    await folder.end();
    process.off("exit", kill);
  }
}

interface Demo {
  readonly options: DemoOptions;
  readonly voice: Voice;
  readonly fakes: Fakes;
  readonly product: Product;
  readonly user: Credentials;
}

async function present({ options, voice, fakes, product, user }: Demo, waiting: Waiting): Promise<void> {
  const now = Date.now();
  const stream = new Stream(SEED, now);
  const publisher = new Publisher(fakes);
  const postings = stream.before(options.postings);
  for (const posting of postings) if (posting.at >= now - LOOK_BACK_MS) publisher.publish(posting);
  await product.ready(waiting.signal);
  const client = await Client.signIn(product.url, user);
  const insights = await createInsights(
    client,
    postings.filter(({ at }) => at < now - LOOK_BACK_MS),
  );
  const insight = await untilAnalysed(client, insights.running, waiting);
  await pauseOnceCollected(client, insights.paused, waiting);
  const found = { analysed: analysedOf(insight), platforms: insight.platforms.length };
  voice.print(requestsToPaste({ url: product.url, user, insights, ...found, now, days: STORY_DAYS }));
  voice.report(`Ready after ${Math.round((performance.now() - waiting.startedAt) / 1000)} s.`);
  await goOn({ stream, publisher, perMinute: options.perMinute }, product, waiting.signal);
}

interface Further {
  readonly stream: Stream;
  readonly publisher: Publisher;
  readonly perMinute: number;
}

/** Adds postings until the signal aborts. Throws if the product ends by itself. */
async function goOn({ stream, publisher, perMinute }: Further, product: Product, signal: AbortSignal): Promise<void> {
  const add = (): void => publisher.publish(stream.next(Date.now()));
  const timer = perMinute === 0 ? undefined : setInterval(add, MINUTE_MS / perMinute);
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  try {
    if (!signal.aborted) await Promise.race([stopped, product.ended()]);
    if (!signal.aborted) throw new Error(`The server ended:\n${await product.lastLines()}`);
  } finally {
    clearInterval(timer);
  }
}

function settingsOf(fakes: Fakes, { email, password }: Credentials): Record<string, string> {
  return {
    ...settingsFor(fakes),
    ...{ BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password, BOOTSTRAP_COMPANY: "Demo (invented)" },
    COLLECT_INTERVAL_SECONDS: String(INTERVAL_SECONDS),
  };
}
