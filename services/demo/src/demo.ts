import { randomBytes } from "node:crypto";
import { type Fakes, settingsFor, startFakes, stopFakes } from "./fakes.js";
import {
  analyzedOf,
  type Archive,
  Client,
  createInsights,
  type Credentials,
  type DemoInsights,
  pauseOnceCollected,
  untilAnalyzed,
  type Waiting,
} from "./insights.js";
import type { DemoOptions } from "./options.js";
import { freePort, openDataFolder, Product } from "./product.js";
import { Publisher } from "./publisher.js";
import { DEMO_PLATFORMS, type DemoPlatform, STORY_DAYS, Stream, type StreamPosting } from "./stream.js";

const SEED = 20_261_122;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How far back a new insight is given postings by platforms, and by those that keep less. */
const LOOK_BACK_MS = 7 * DAY_MS;
const SHORT_LOOK_BACK_MS = DAY_MS;
const SHORT: ReadonlySet<DemoPlatform> = new Set(["news", "instagram"]);
const INTERVAL_SECONDS = 10;

/** Where the demo writes. */
interface Output {
  /** About its progress. */
  readonly report: (line: string) => void;
  /** The result. */
  readonly print: (text: string) => void;
}

/** Runs the demo until the signal aborts; then, or after a failure, nothing of it is left running. */
export async function runDemo(options: DemoOptions, output: Output, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const folder = await openDataFolder(options.dataDir);
  const fakes = await startFakes();
  const user = { email: "demo@example.com", password: randomBytes(12).toString("base64url") };
  const port = await freePort(options.port);
  const product = Product.start({ port, folder: folder.path, settings: settingsOf(fakes, user) });
  const kill = (): void => product.kill();
  process.once("exit", kill);
  try {
    output.report(`Starting ${product.url}; its data and log are in ${folder.path}`);
    await present({ options, output, fakes, product, user }, { signal, report: output.report, startedAt });
  } finally {
    await product.stop();
    await stopFakes(fakes);
    await folder.end();
    process.off("exit", kill);
  }
}

interface Demo {
  readonly options: DemoOptions;
  readonly output: Output;
  readonly fakes: Fakes;
  readonly product: Product;
  readonly user: Credentials;
}

async function present({ options, output, fakes, product, user }: Demo, waiting: Waiting): Promise<void> {
  const now = Date.now();
  const stream = new Stream(SEED, now);
  const publisher = new Publisher(fakes);
  const postings = stream.before(options.postings);
  for (const posting of postings) if (posting.at >= publicSince(posting.platform, now)) publisher.publish(posting);
  await product.ready(waiting.signal);
  const client = await Client.signIn(product.url, user);
  const insights = await createInsights(client, archivesOf(postings, now));
  const insight = await untilAnalyzed(client, insights.running, waiting);
  await pauseOnceCollected(client, insights.paused, waiting);
  const figures = { analyzed: analyzedOf(insight), platforms: insight.platforms.length };
  output.print(requestsToPaste({ url: product.url, user, insights, ...figures, now, days: STORY_DAYS }));
  output.report(`Ready after ${Math.round((performance.now() - waiting.startedAt) / 1000)} s.`);
  await keepPublishing({ stream, publisher, perMinute: options.perMinute }, product, waiting.signal);
}

/** Since when the postings of a platform are given out to a new insight; older ones are imported. */
function publicSince(platform: DemoPlatform, now: number): number {
  return now - (SHORT.has(platform) ? SHORT_LOOK_BACK_MS : LOOK_BACK_MS);
}

function archivesOf(postings: readonly StreamPosting[], now: number): Archive[] {
  const from = now - STORY_DAYS * DAY_MS;
  return [...new Set(DEMO_PLATFORMS.map((platform) => publicSince(platform, now)))].map((to) => ({
    postings: postings.filter(({ platform, at }) => at < to && publicSince(platform, now) === to),
    from,
    to,
  }));
}

interface Publishing {
  readonly stream: Stream;
  readonly publisher: Publisher;
  readonly perMinute: number;
}

/** Adds postings until the signal aborts. Throws if the product ends by itself. */
async function keepPublishing(
  { stream, publisher, perMinute }: Publishing,
  product: Product,
  signal: AbortSignal,
): Promise<void> {
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
    DEMO: "true",
    ...{ BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password, BOOTSTRAP_COMPANY: "Demo (invented)" },
    COLLECT_INTERVAL_SECONDS: String(INTERVAL_SECONDS),
  };
}

/** What the printed text is about. */
interface DemoState {
  readonly url: string;
  readonly user: Credentials;
  readonly insights: DemoInsights;
  /** Analyzed postings of the running insight. */
  readonly analyzed: number;
  readonly platforms: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Days that the stream reaches back. */
  readonly days: number;
}

/** The address, the insights, and requests to paste into a shell. */
function requestsToPaste(state: DemoState): string {
  const { url, user, insights, analyzed, platforms } = state;
  return `
  Hourglass demo   ${url}/insights/${insights.running}
  User             ${user.email}, password ${user.password}
  Every posting is invented: its authors do not exist, its text says #demo, and its more_info has "demo": true.

  Insight ${insights.running} runs and has ${analyzed} analyzed postings of ${platforms} platforms; ${insights.preview} is a preview; ${insights.paused} is paused.
  New postings come while this runs. Ctrl-C ends it.

  Requests to paste:

${commands(state)
  .map((line) => `  ${line}`)
  .join("\n")}

`;
}

function commands({ url, user, insights, now, days }: DemoState): string[] {
  const [start, end] = [dateOf(now - (days + 1) * DAY_MS), dateOf(now + DAY_MS)];
  const created = { insight_search_ids: [insights.running], start_date: start, end_date: end };
  return [
    `BASE=${url} API=${url}/api/v2/products`,
    `TOKEN=$(curl -fsSi "$BASE/api/v1/users/sign_in" -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify({ user })}' | tr -d '\\r' | sed -n 's/^[Aa]uthorization: Bearer //p')`,
    `AUTH="Authorization: Bearer $TOKEN"`,
    `curl -fsS "$API/insight" -H "$AUTH"`,
    `curl -fsS "$API/insight/${insights.running}/postings?limit=3" -H "$AUTH"`,
    `curl -fsS "$API/insight/${insights.running}/summary?start_date=${start}&end_date=${end}&top=5" -H "$AUTH"`,
    `EXPORT=$(curl -fsSi "$API/insight/exports" -H "$AUTH" -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(created)}' | tr -d '\\r' | sed -n 's/^[Ll]ocation: //p')`,
    `curl -fsS "$BASE$EXPORT?wait=60" -H "$AUTH" -o /dev/null`,
    `curl -fsS "$BASE$EXPORT/download?format=ndjson" -H "$AUTH" -o hourglass-demo.ndjson`,
  ];
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
