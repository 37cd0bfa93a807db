import { HttpFailure } from "@hourglass/runtime";
import * as z from "zod";
import { spendRequest } from "../budget.js";
import { type PlatformDeps, PlatformError } from "../connector.js";
import { errorOfStatus, fetchJson, headerOf, type JsonResponse, retryAfterOf } from "../http-json.js";
import { demoMark, maybe, maybeCount, maybeList, statedTime } from "../schemas.js";
import { SourceError } from "../sources.js";

/** A server, and how often it may be asked. */
interface MastodonSettings {
  readonly origin: string;
  readonly requestsPerMinute: number;
}

export interface TimelineRequest {
  readonly tag: string;
  readonly limit: number;
  /** Only postings before this one. */
  readonly maxId?: string | null;
}

/** One server: its limit of requests belongs to all searches. */
export class MastodonServer {
  readonly host: string;
  private held = 0;

  constructor(
    private readonly deps: PlatformDeps,
    private readonly settings: MastodonSettings,
  ) {
    this.host = new URL(settings.origin).host;
    deps.declareBudget?.({
      name: this.budget,
      limit: settings.requestsPerMinute,
      period: "minute",
      units: `requests of ${this.host}`,
    });
  }

  /** When the server takes requests again, by its own headers; undefined if it takes them now. */
  get notBefore(): number | undefined {
    return this.held > this.deps.now() ? this.held : undefined;
  }

  /** A page of a tag timeline, newest first. Throws as `get`. */
  timeline({ tag, limit, maxId = null }: TimelineRequest, signal: AbortSignal): Promise<JsonResponse> {
    const parameters = { limit: String(limit), ...(maxId !== null && { max_id: maxId }) };
    return this.get(`/api/v1/timelines/tag/${encodeURIComponent(tag)}`, parameters, signal);
  }

  /**
   * Sends a request to the server. Throws PlatformError, also `budget` before a request that its limit or this server's does not allow,
   * SourceError for what it does not show to the public, and HttpFailure.
   */
  private async get(
    path: string,
    parameters: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<JsonResponse> {
    const { http, now } = this.deps;
    const { origin, requestsPerMinute: limit } = this.settings;
    if (this.notBefore !== undefined) {
      const message = `The limit of ${this.host} is used up. It resumes at ${new Date(this.notBefore).toISOString()}.`;
      throw new PlatformError("budget", message, { retryAt: this.notBefore });
    }
    await spendRequest(this.deps, { name: this.budget, limit, period: "minute" });
    const url = new URL(path, origin);
    url.search = new URLSearchParams(parameters).toString();
    const response = await fetchJson(http, { url: url.href, signal, service: this.host });
    this.held = Math.max(this.held, heldUntil(response, now()) ?? 0);
    if (response.status !== 200) throw errorOfResponse(response, this.host, now());
    return response;
  }

  private get budget(): string {
    return `mastodon.requests.${this.host}`;
  }
}

const LINK = /<([^<>]*)>([^<]*)/g;

/** The `max_id` of the page after an answer, as its Link header states it; undefined if there is none. */
export function nextMaxId(response: Pick<JsonResponse, "headers">): string | undefined {
  for (const [, url = "", parameters = ""] of headerOf(response, "link").matchAll(LINK)) {
    if (!/;\s*rel\s*=\s*"?next\b/i.test(parameters) || !URL.canParse(url)) continue;
    // Only the id is taken over: the request goes to the server that the operator named.
    return new URL(url).searchParams.get("max_id") ?? undefined;
  }
  return undefined;
}

/** What servers answer whose timelines are for people who have signed in. */
const CLOSED: ReadonlySet<number> = new Set([401, 403, 422]);

const problemSchema = z.object({ error: maybe(z.string()) });

/** When a server takes requests again, in milliseconds since the epoch; undefined if it takes them now, or does not say. */
function heldUntil(response: JsonResponse, now: number): number | undefined {
  const isUsedUp = headerOf(response, "x-ratelimit-remaining") === "0";
  if (response.status !== 429 && !isUsedUp) return undefined;
  const reset = Date.parse(headerOf(response, "x-ratelimit-reset"));
  const times = [reset, response.status === 429 ? (retryAfterOf(response, now) ?? Number.NaN) : Number.NaN];
  const stated = times.filter((time) => Number.isFinite(time));
  return stated.length === 0 ? undefined : Math.max(now, ...stated);
}

/** What a response with an error means. */
function errorOfResponse(response: JsonResponse, host: string, now: number): PlatformError {
  const detail = problemSchema.safeParse(response.body).data?.error;
  if (CLOSED.has(response.status)) {
    const message =
      `${host} shows tag timelines to people only who have signed in (${response.status}). ` +
      "The operator must name another server in MASTODON_SERVERS.";
    return new SourceError("permanent", message, { isForbidden: true });
  }
  const retryAt = heldUntil(response, now);
  return errorOfStatus({ service: host, credential: "MASTODON_SERVERS", response, detail, retryAt, now });
}

/** The failure of one server of several: the others can be read. Others than of platforms are returned as they are. */
export function asErrorOfOne(error: unknown): unknown {
  if (error instanceof SourceError) return error;
  if (error instanceof HttpFailure) return new SourceError("permanent", error.message);
  if (!(error instanceof PlatformError)) return error;
  const { kind, message, retryAt, requests } = error;
  const isLater = kind === "rate" || kind === "budget";
  return new SourceError(isLater ? "budget" : "permanent", message, {
    ...(retryAt !== undefined && { retryAt }),
    requests,
    isForbidden: kind === "auth",
  });
}

const text = z.string();
const url = z.url({ protocol: /^https?$/ });

const accountSchema = z.object({
  acct: maybe(text),
  username: maybe(text),
  display_name: maybe(text),
  url: maybe(url),
  uri: maybe(url),
  bot: maybe(z.boolean()),
  group: maybe(z.boolean()),
});

const statusSchema = z.object({
  /** Known to this server only; may be what it pages by. */
  id: maybe(text.min(1)),
  /** The same on every server. */
  uri: text.min(1).max(2048),
  created_at: statedTime,
  url: maybe(url),
  content: maybe(text),
  spoiler_text: maybe(text),
  language: maybe(text),
  visibility: maybe(text),
  sensitive: maybe(z.boolean()),
  edited_at: maybe(text),
  in_reply_to_id: maybe(text),
  reblog: maybe(z.object({})),
  account: maybe(accountSchema),
  mentions: maybeList(accountSchema),
  tags: maybeList(z.object({ name: text.min(1) })),
  media_attachments: maybeList(
    z.object({ type: maybe(text), url: maybe(url), remote_url: maybe(url), description: maybe(text) }),
  ),
  card: maybe(z.object({ url: maybe(url), title: maybe(text) })),
  poll: maybe(z.object({ options: maybeList(z.object({ title: text })) })),
  replies_count: maybeCount,
  reblogs_count: maybeCount,
  favourites_count: maybeCount,
  quotes_count: maybeCount,
  demo: demoMark,
});

/** A posting as a server states it. */
export type MastodonStatus = z.output<typeof statusSchema>;
/** Somebody as a server states them. */
export type MastodonAccount = z.output<typeof accountSchema>;

/** No public timeline should hold these. */
const HIDDEN: ReadonlySet<string> = new Set(["private", "direct", "limited"]);

/** Undefined for an item without address or time, and for one that is not meant for everybody. */
export function readStatus(item: unknown): MastodonStatus | undefined {
  const status = statusSchema.safeParse(item).data;
  return HIDDEN.has(status?.visibility ?? "") ? undefined : status;
}
