import { createHmac } from "node:crypto";
import { variable } from "@hourglass/runtime";
import * as z from "zod";
import { spendRequest } from "./budget.js";
import { type PlatformDeps, PlatformError, type RequestContext } from "./connector.js";
import { errorOfStatus, fetchJson, headerOf, type JsonResponse } from "./http-json.js";
import { maybe } from "./schemas.js";
import { SourceError } from "./sources.js";

/** The variables of both platforms of Meta, which share an API; each may have its own address. */
export const graphVariables = {
  GRAPH_BASE_URL: variable.url("https", "http").default("https://graph.facebook.com"),
};

/** How a platform asks the Graph API. */
interface GraphSettings extends Omit<GraphAccess, "secrets"> {
  readonly baseUrl: string;
  /** Such as `v25.0`. */
  readonly version: string;
  readonly token: string;
  readonly appSecret: string | undefined;
  /** Requests in an hour. */
  readonly requests: { readonly name: string; readonly limit: number; readonly setting: string };
}

export type GraphParameters = Readonly<Record<string, string | undefined>>;

/** Meta's Graph API with one access token: requests within their budget, and what its errors mean. */
export class Graph {
  private readonly usage: UsageGate;
  private readonly access: GraphAccess;
  private readonly proof: string | undefined;

  constructor(
    private readonly deps: PlatformDeps,
    private readonly settings: GraphSettings,
  ) {
    const { token, appSecret, service, requests } = settings;
    const { name, limit } = requests;
    deps.declareBudget?.({ name, limit, period: "hour", units: `requests of ${service}` });
    this.usage = new UsageGate(service);
    this.access = { ...settings, secrets: [token, ...(appSecret === undefined ? [] : [appSecret])] };
    this.proof = appSecret === undefined ? undefined : createHmac("sha256", appSecret).update(token).digest("hex");
  }

  /**
   * Gets an object or an edge; the token stands in a header, not in the URL. Throws PlatformError, SourceError if it
   * is about this path alone, or HttpFailure.
   */
  async get(path: string, parameters: GraphParameters, context: RequestContext): Promise<unknown> {
    const { http, now } = this.deps;
    const { token, service } = this.settings;
    this.usage.mustBeOpen(now(), { isPreview: context.search.preview });
    await this.reserve();
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetchJson(http, {
      url: this.urlOf(path, parameters),
      headers,
      signal: context.signal,
      service,
    });
    this.usage.note(response, now());
    if (response.status !== 200) throw errorOfResponse(response, this.access, now());
    return response.body;
  }

  /** Earliest time of the next request, if Meta wants less of them, in milliseconds since the epoch. */
  get notBefore(): number | undefined {
    return this.usage.closedUntil(this.deps.now(), { isPreview: false });
  }

  private async reserve(): Promise<void> {
    const { name, limit, setting } = this.settings.requests;
    try {
      await spendRequest(this.deps, { name, limit, period: "hour" });
    } catch (error) {
      if (!(error instanceof PlatformError) || error.retryAt === undefined) throw error;
      const until = new Date(error.retryAt).toISOString();
      const message = `The ${limit} requests an hour of ${setting} are used. It resumes at ${until}.`;
      throw new PlatformError("budget", message, { retryAt: error.retryAt, cause: error });
    }
  }

  private urlOf(path: string, parameters: GraphParameters): string {
    const url = new URL(`/${this.settings.version}${path}`, this.settings.baseUrl);
    const all = { ...parameters, appsecret_proof: this.proof };
    for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const REGAIN_MINUTES_MAX = 24 * 60;
/** Percent of what Meta allows in an hour: continuous searches stop earlier than previews. */
const PERCENT_MAX = 80;
const PREVIEW_PERCENT_MAX = 95;

const share = maybe(z.number().nonnegative());
const usageSchema = z.object({
  call_count: share,
  total_time: share,
  total_cputime: share,
  estimated_time_to_regain_access: share,
});
const byUseCaseSchema = z.record(z.string(), z.array(usageSchema));

type UsageHeader = z.output<typeof usageSchema>;

/** What the headers of an answer state about the use of the last hour. */
interface Usage {
  /** The highest share, in percent. */
  readonly percent: number;
  /** Minutes without access. */
  readonly regainMinutes: number;
}

/** The usage that an answer states; zero where it states none. */
function usageOf(response: Pick<JsonResponse, "headers">): Usage {
  const plain = ["x-app-usage", "x-page-usage"].flatMap((name) => readHeader(response, name, usageSchema) ?? []);
  const byUseCase = readHeader(response, "x-business-use-case-usage", byUseCaseSchema) ?? {};
  const stated: UsageHeader[] = [...plain, ...Object.values(byUseCase).flat()];
  const shares = stated.flatMap(({ call_count: calls = 0, total_time: time = 0, total_cputime: cpu = 0 }) => [
    calls,
    time,
    cpu,
  ]);
  const regain = stated.map(({ estimated_time_to_regain_access: minutes = 0 }) =>
    Math.min(minutes, REGAIN_MINUTES_MAX),
  );
  return { percent: Math.max(0, ...shares), regainMinutes: Math.max(0, ...regain) };
}

/** When access returns, in milliseconds since the epoch; undefined if the answer does not state it. */
function regainAt(response: Pick<JsonResponse, "headers">, now: number): number | undefined {
  const { regainMinutes } = usageOf(response);
  return regainMinutes === 0 ? undefined : now + regainMinutes * MINUTE_MS;
}

function readHeader<T extends z.ZodType>(
  response: Pick<JsonResponse, "headers">,
  name: string,
  schema: T,
): z.output<T> | undefined {
  try {
    return schema.safeParse(JSON.parse(headerOf(response, name))).data;
  } catch {
    return undefined;
  }
}

/** Keeps requests back while most of what Meta allows in an hour is used; it counts the last 60 minutes. */
class UsageGate {
  private usage: Usage = { percent: 0, regainMinutes: 0 };
  private at = 0;

  constructor(private readonly service: string) {}

  /** Notes what an answer states. */
  note(response: Pick<JsonResponse, "headers">, now: number): void {
    this.usage = usageOf(response);
    this.at = now;
  }

  /** When requests may resume, in milliseconds since the epoch; undefined if they may now. */
  closedUntil(now: number, { isPreview }: { readonly isPreview: boolean }): number | undefined {
    const { percent, regainMinutes } = this.usage;
    const excess = percent - (isPreview ? PREVIEW_PERCENT_MAX : PERCENT_MAX);
    const waitMs = excess < 0 ? 0 : Math.min(HOUR_MS, (excess / 100) * HOUR_MS + MINUTE_MS);
    const until = Math.ceil(this.at + Math.max(waitMs, regainMinutes * MINUTE_MS));
    return until > now ? until : undefined;
  }

  /** Throws PlatformError `budget` while requests are kept back. */
  mustBeOpen(now: number, spender: { readonly isPreview: boolean }): void {
    const retryAt = this.closedUntil(now, spender);
    if (retryAt === undefined) return;
    const used = `${this.service} says that ${Math.round(this.usage.percent)} % of what it allows in an hour are used.`;
    throw new PlatformError("budget", `${used} It will be retried at ${new Date(retryAt).toISOString()}.`, { retryAt });
  }
}

const DETAIL_MAX = 200;
/** Limits are counted over the last hour, and part of it is enough to continue. */
const RATE_PAUSE_MS = 15 * MINUTE_MS;
const REJECTED: ReadonlySet<number> = new Set([102, 190, 467, 2500]);
const LIMITED: ReadonlySet<number> = new Set([4, 17, 32, 341, 613]);
const UNKNOWN: ReadonlySet<number> = new Set([21, 24, 100, 110, 803]);
const WHY_REJECTED: Readonly<Record<number, string>> = {
  458: "the app was removed from the account",
  459: "the account must sign in and answer a question of Meta",
  460: "the password of the account was changed",
  463: "it has expired",
  464: "the account is not confirmed",
  467: "it is not valid",
};

/** What the sentences of a failure name. */
interface GraphAccess {
  /** Such as `Facebook`. */
  readonly service: string;
  /** The variable that holds the access token. */
  readonly credential: string;
  /** The variable that holds the app secret. */
  readonly secretName: string;
  /** What no sentence may repeat: errors quote the token. */
  readonly secrets: readonly string[];
  /** What a code means on this platform, if that differs. */
  readonly own?: (error: GraphError, detail: string, now: number) => PlatformError | undefined;
}

/** What a response with an error means: SourceError if another page, hashtag or account may be readable. */
function errorOfResponse(response: JsonResponse, access: GraphAccess, now: number): PlatformError {
  const { service, credential } = access;
  const error = graphErrorOf(response);
  if (error === undefined) return errorOfStatus({ service, credential, response, now });
  const detail = detailOf(error, access.secrets);
  return (
    access.own?.(error, detail, now) ??
    credentialFailure(error, detail, access) ??
    passingFailure({ error, detail, response }, service, now) ??
    sourceFailure(error, detail, access) ??
    new PlatformError("permanent", `${service} refuses the request (${error.code}).${detail}`)
  );
}

/** Such as ` It says: Invalid user id.`, without secrets. */
function detailOf({ message }: GraphError, secrets: readonly string[]): string {
  const hidden = secrets.reduce(
    (text, secret) => text.replaceAll(secret, "…"),
    message.replaceAll(/\bEAA\w{8,}/g, "…"),
  );
  const shown = hidden.trim().slice(0, DETAIL_MAX);
  if (shown === "") return "";
  return ` It says: ${shown}${/[.!?…]$/.test(shown) ? "" : "."}`;
}

function credentialFailure(
  { code, subcode, message }: GraphError,
  detail: string,
  { service, credential, secretName }: GraphAccess,
): PlatformError | undefined {
  if (REJECTED.has(code)) {
    const why = WHY_REJECTED[subcode ?? 0];
    const reason = why === undefined ? "" : `: ${why}`;
    const rejects = `${service} rejects the credentials (${code}${reason}). The operator must renew ${credential}.`;
    return new PlatformError("auth", `${rejects}${detail}`);
  }
  if (/app ?secret[ _]?proof|app secret proof/i.test(message)) {
    const wanted = `${service} wants the proof of the app secret. The operator must set ${secretName} to the secret of the`;
    return new PlatformError("auth", `${wanted} app that ${credential} belongs to.${detail}`);
  }
  if (
    code === 101 ||
    code === 368 ||
    /API access (blocked|disabled|deactivated)|app .*(inactive|deactivated)/i.test(message)
  ) {
    const blocked = `${service} has switched off or blocked the app of ${credential} (${code}).`;
    return new PlatformError("auth", `${blocked} The operator must look into Meta's app dashboard.${detail}`);
  }
  return undefined;
}

interface Failed {
  readonly error: GraphError;
  readonly detail: string;
  readonly response: JsonResponse;
}

function passingFailure({ error, detail, response }: Failed, service: string, now: number): PlatformError | undefined {
  const { code, isTransient } = error;
  if (LIMITED.has(code) || (code >= 80_000 && code < 80_100) || response.status === 429) {
    const retryAt = Math.max(now + RATE_PAUSE_MS, regainAt(response, now) ?? 0);
    return new PlatformError("rate", `${service} has received too many requests (${code}).${detail}`, { retryAt });
  }
  if (code === 1 || code === 2 || isTransient || response.status >= 500) {
    return new PlatformError("temporary", `${service} is failing (${code}). It will be retried.${detail}`);
  }
  return undefined;
}

function sourceFailure(
  { code, subcode, message }: GraphError,
  detail: string,
  { service, credential }: GraphAccess,
): SourceError | undefined {
  const isForbidden =
    code === 3 || code === 10 || (code >= 200 && code < 300) || /\brequires? (the|either)\b/i.test(message);
  if (isForbidden) {
    const sentence = `${service} forbids it (${code}): the app of ${credential} needs this access.${detail}`;
    return new SourceError("permanent", sentence, { isForbidden });
  }
  if (!UNKNOWN.has(code)) return undefined;
  return new SourceError(
    "permanent",
    `${service} does not know it, or does not show it (${code}). Check its name.${detail}`,
    // 100 is the code of wrong parameters too.
    { isMissing: code === 803 || (code === 100 && subcode === 33) },
  );
}

const errorSchema = z.object({
  error: z.object({
    message: maybe(z.string()),
    code: maybe(z.int()),
    error_subcode: maybe(z.int()),
    is_transient: maybe(z.boolean()),
  }),
});

/** An error of the Graph API. */
export interface GraphError {
  readonly code: number;
  readonly subcode: number | undefined;
  readonly message: string;
  readonly isTransient: boolean;
}

/** Undefined if an answer states no error of the Graph API. */
function graphErrorOf({ body }: Pick<JsonResponse, "body">): GraphError | undefined {
  const { error } = errorSchema.safeParse(body).data ?? {};
  if (error?.code === undefined) return undefined;
  const { code, error_subcode: subcode, message = "", is_transient: isTransient = false } = error;
  return { code, subcode, message, isTransient };
}

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

/** A time such as `2026-11-20T08:09:52+0000`, in milliseconds since the epoch. */
export const graphTime = z
  .string()
  .transform((text) => {
    const [, time = "", zone = ""] = TIME.exec(text) ?? [];
    return Date.parse(time + zone.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2"));
  })
  .refine((time) => Number.isFinite(time));

/** An id, which is never a number: those lose digits. */
export const graphId = z.string().min(1).max(200);

const token = maybe(z.string().min(1));

/**
 * Where the next page begins. `paging.next` is a URL that holds the access token, too: only its cursor is taken over,
 * where the answer does not name it by itself.
 */
export const paging = maybe(
  z.object({ cursors: maybe(z.object({ after: token })), next: token }).transform(({ cursors, next }) => ({
    hasNext: next !== undefined,
    after: cursors?.after ?? cursorIn(next),
  })),
);

function cursorIn(url = ""): string | undefined {
  const after = URL.canParse(url) ? new URL(url).searchParams.get("after") : null;
  return after === null || after === "" ? undefined : after;
}
