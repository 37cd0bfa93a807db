import { setTimeout as sleep } from "node:timers/promises";
import { DemoError } from "./options.js";
import { DEMO_PLATFORMS, type StreamPosting } from "./stream.js";

const POLL_MS = 500;
const REPORT_EVERY_MS = 3000;
/** The first requests to paste are wanted within a minute, on slow machines with part of the postings. */
const PATIENCE_MS = 45_000;
const PATIENCE_MS_MAX = 10 * 60_000;
const ANALYZED_MIN = 100;

/** Ids of the insights of the demo. */
export interface DemoInsights {
  readonly running: number;
  readonly preview: number;
  readonly paused: number;
}

/** All postings of a span of time, which are older than what platforms give out to a new insight. */
export interface Archive {
  readonly postings: readonly StreamPosting[];
  /** Milliseconds since the epoch: inclusive, exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Creates a running insight with archives, a preview, and one that will be paused. */
export async function createInsights(client: Client, archives: readonly Archive[]): Promise<DemoInsights> {
  const query = (keywords: string, platforms: readonly string[] = DEMO_PLATFORMS) => ({
    ...{ keywords, platforms, dimensions: ["textual"] },
  });
  const running = await client.create(query("kestrel OR merlin OR osprey"));
  const preview = await client.create({ ...query("merlin bike"), sneak_peek: true });
  const paused = await client.create(query("osprey -kestrel", ["twitter", "reddit", "facebook"]));
  for (const archive of archives) await client.importArchive(running, archive);
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
 * Resolves with the running insight when all platforms were read and all postings are analyzed; on a slow machine, when the
 * time is up and a hundred are. Throws DemoError after ten minutes.
 */
export async function untilAnalyzed(client: Client, id: number, waiting: Waiting): Promise<InsightState> {
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
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Pauses an insight that has collected something. */
export async function pauseOnceCollected(client: Client, id: number, { signal }: Waiting): Promise<void> {
  while ((await client.read(id)).posting_count === 0) await sleep(POLL_MS, undefined, { signal });
  await client.pause(id);
}

export function analyzedOf({ posting_count: all, unanalysed_count: waiting }: InsightState): number {
  return all - waiting;
}

function isComplete(insight: InsightState): boolean {
  return (
    insight.unanalysed_count === 0 && areAllRead(insight) && insight.platforms.every(({ state }) => state === "waiting")
  );
}

function isEnough(insight: InsightState): boolean {
  return areAllRead(insight) && analyzedOf(insight) >= ANALYZED_MIN;
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
  const figures = `${analyzedOf(insight)} of ${all} postings analyzed, ${read} of ${platforms.length} platforms read`;
  return [figures, ...errors].join("; ");
}

const API = "/api/v2/products";

/** The first user of the demo. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** An insight, as far as the demo reads it. */
interface InsightState {
  readonly status: string;
  readonly posting_count: number;
  readonly unanalysed_count: number;
  readonly platforms: readonly {
    readonly platform: string;
    readonly state: string;
    readonly last_error: string | null;
    readonly counts: { readonly stored: number };
  }[];
}

/** Requests of one signed-in user over REST. */
export class Client {
  private constructor(
    private readonly url: string,
    private readonly authorization: string,
  ) {}

  /** Signs in. Throws DemoError. */
  static async signIn(url: string, user: Credentials): Promise<Client> {
    const response = await fetch(`${url}/api/v1/users/sign_in`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ user }),
    });
    const authorization = response.headers.get("authorization");
    if (authorization === null) throw new DemoError(`The sign-in was answered with ${response.status}.`);
    return new Client(url, authorization);
  }

  /** Creates an insight and returns its id. */
  async create(query: Readonly<Record<string, unknown>>): Promise<number> {
    const response = await this.send("POST", "/insight", JSON.stringify({ query }));
    return Number(response.headers.get("location")?.split("/").at(-1));
  }

  async read(id: number): Promise<InsightState> {
    const response = await this.send("GET", `/insight/${id}`);
    return (await response.json()) as InsightState;
  }

  async pause(id: number): Promise<void> {
    await this.send("PUT", `/insight/${id}/pause`);
  }

  /** Imports an archive, and states that nothing is missing in its span. */
  async importArchive(id: number, { postings, from, to }: Archive): Promise<void> {
    const lines = postings.map((posting) => JSON.stringify(archivedRow(posting))).join("\n");
    const [start, end] = [new Date(from).toISOString(), new Date(to).toISOString()];
    await this.send(
      "POST",
      `/insight/${id}/postings?complete_from=${start}&complete_to=${end}`,
      lines,
      "application/x-ndjson",
    );
  }

  private async send(method: string, path: string, body?: string, type = "application/json"): Promise<Response> {
    const headers = { Authorization: this.authorization, ...(body !== undefined && { "Content-Type": type }) };
    const response = await fetch(this.url + API + path, { method, headers, ...(body !== undefined && { body }) });
    if (response.ok) return response;
    throw new DemoError(`${method} ${path} was answered with ${response.status}: ${await response.text()}`);
  }
}

/** A posting as an import states it. */
function archivedRow({ platform, at, text, language, tags, author, likes }: StreamPosting): object {
  const time = new Date(at);
  return {
    platform,
    social_id: `demo-archive-${at}-${author.id}`,
    post_date: `${time.getUTCMonth() + 1}/${time.getUTCDate()}/${time.getUTCFullYear()}`,
    post_time: time.toISOString().slice(11, 19),
    text_of_post: text,
    text_post_lang: language,
    text_post_type: "post",
    text_post_tags: tags,
    author_id: author.id,
    author_username: author.username,
    author_name: author.name,
    like_count: String(likes),
    more_info: { demo: true, archive: true },
  };
}
