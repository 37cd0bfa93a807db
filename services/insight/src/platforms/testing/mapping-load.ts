import { DEMO_PLATFORMS, type Fakes, Publisher, settingsFor, startFakes, stopFakes, Stream } from "@hourglass/demo";
import { createLogger, type HttpAnswer, type HttpClient, type HttpRequest } from "@hourglass/runtime";
import { openTestStore } from "../../testing/test-store.js";
import { parseFeed, readFeed } from "../news/feeds/read-feed.js";
import { MODULES } from "../registry.js";
import type { Connector } from "../connector.js";
import { clientOf, connectorOf, requestAt } from "./all-platforms.js";

/**
 * `node mapping-load.js`: what it takes to make postings of a page, and to parse the JSON of the same page alone. Pages are
 * those of the fakes, and come from memory. Prints for each platform microseconds of processor time per posting as JSON.
 */
const POSTINGS = 3000;
const SEED = 7;
const ROUNDS = 15;
const REPEATS = 20;
const WARM_UP = 40;
/** A clock that stands still, so that the same request is asked every time. */
const NOW = Date.now();

interface Line {
  readonly platform: string;
  readonly postings: number;
  /** Medians of the rounds, in microseconds for a page. */
  readonly parse: number;
  readonly map: number;
  /** The median of the ratios. */
  readonly ratio: number;
}

/** Answers of the fakes by request, asked for once and repeated from memory. */
class Replay {
  private readonly answers = new Map<string, Promise<{ answer: HttpAnswer; text: string }>>();

  constructor(private readonly http: Pick<HttpClient, "request">) {}

  async request(url: string, request: HttpRequest = {}): Promise<HttpAnswer> {
    const key = `${request.method ?? "GET"} ${url} ${String(request.body ?? "")}`;
    const known = this.answers.get(key) ?? this.ask(url, request);
    this.answers.set(key, known);
    const { answer, text } = await known;
    const { url: arrived, permanentUrl, status, headers, body } = answer;
    const bytes = (): Promise<Buffer> => Promise.resolve(Buffer.from(text));
    const texts = { bytes, text: () => Promise.resolve(text), close: () => undefined };
    return { url: arrived, permanentUrl, status, headers, body, ...texts };
  }

  /** The bodies of all answers that a repetition reads again. */
  async texts(): Promise<string[]> {
    const kept = await Promise.all(this.answers.values());
    return kept.map(({ text }) => text);
  }

  forget(): void {
    this.answers.clear();
  }

  private async ask(url: string, request: HttpRequest): Promise<{ answer: HttpAnswer; text: string }> {
    const answer = await this.http.request(url, request);
    return { answer, text: await answer.text() };
  }
}

async function measureConnector(platform: string, connector: Connector, replay: Replay): Promise<Line> {
  const request = requestAt(NOW);
  await connector.fetchPage(request); // tokens and names, which are kept
  replay.forget();
  const { postings } = await connector.fetchPage(request);
  const texts = await replay.texts();
  const read = async (): Promise<void> => void (await connector.fetchPage(request));
  const parse = (): void => texts.forEach((text) => JSON.parse(text) as unknown);
  return compare(platform, postings.length, { read, parse });
}

/** The parser of feeds takes the place of JSON.parse. */
async function measureNews(fakes: Fakes): Promise<Line> {
  const [url = ""] = fakes.news.feeds;
  const text = await (await fetch(url)).text();
  const document = { bytes: Buffer.from(text), url, name: url, readAt: NOW };
  const { postings } = readFeed(document);
  const read = (): Promise<void> => Promise.resolve(void readFeed(document));
  return compare("news", postings.length, { read, parse: () => void parseFeed(text, { url, entriesMax: 1000 }) });
}

interface Work {
  /** Parses and maps. */
  readonly read: () => Promise<void>;
  readonly parse: () => void;
}

async function compare(platform: string, postings: number, { read, parse }: Work): Promise<Line> {
  for (let i = 0; i < WARM_UP; i += 1) await read();
  const rounds: { parse: number; map: number; ratio: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const both = await cpuUs(async () => {
      for (let i = 0; i < REPEATS; i += 1) await read();
    });
    const alone = await cpuUs(() => {
      for (let i = 0; i < REPEATS; i += 1) parse();
      return Promise.resolve();
    });
    const map = both - alone;
    rounds.push({ parse: alone / REPEATS, map: map / REPEATS, ratio: alone / map });
  }
  const middle = (key: "parse" | "map" | "ratio"): number =>
    rounds.map((round) => round[key]).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  return { platform, postings, parse: middle("parse"), map: middle("map"), ratio: middle("ratio") };
}

async function cpuUs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const fakes = await startFakes();
const { store, close } = await openTestStore();
const publisher = new Publisher(fakes);
for (const posting of new Stream(SEED, NOW).before(POSTINGS)) publisher.publish(posting);
const http = clientOf(MODULES, settingsFor(fakes));
const lines: Line[] = [await measureNews(fakes)];
const faked: readonly string[] = DEMO_PLATFORMS;
for (const module of MODULES.filter(({ name }) => name !== "news" && faked.includes(name))) {
  const replay = new Replay(http);
  const client = { request: replay.request.bind(replay), close: () => undefined };
  const spend = (): Promise<void> => Promise.resolve();
  const deps = { http: client, store, spend, log: createLogger("silent"), now: () => NOW };
  const connector = await connectorOf(module, deps, { fakes, settings: {} });
  lines.push(await measureConnector(module.name, connector, replay));
}
http.close();
await close();
await stopFakes(fakes);
process.stdout.write(JSON.stringify(lines));
