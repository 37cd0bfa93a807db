import { errorOfStatus, type JsonResponse } from "../../http-json.js";
import { PlatformError } from "../../connector.js";
import { type GraphError, graphErrorOf } from "./graph-error.js";
import { SourceError } from "../../sources.js";
import { regainAt } from "./usage.js";

const DETAIL_MAX = 200;
const MINUTE_MS = 60_000;
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
export interface GraphAccess {
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

/** What an answer with an error means: SourceError if another page, hashtag or account may be readable. */
export function errorOfResponse(response: JsonResponse, access: GraphAccess, now: number): PlatformError {
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
