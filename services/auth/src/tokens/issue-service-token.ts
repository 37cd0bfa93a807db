import { createHash, timingSafeEqual } from "node:crypto";
import { AppError, SERVICE_TOKEN_TTL_SECONDS, type Collection, type Logger } from "@hourglass/runtime";
import type { CompanyRecord } from "../accounts/company.js";
import type { KeyRing } from "../keys/key-ring.js";
import { signServiceToken } from "../keys/sign-token.js";

export interface IssueServiceTokenDeps {
  companies: Collection<CompanyRecord>;
  keys: Pick<KeyRing, "current">;
  /** If undefined, every secret is rejected. */
  secret: string | undefined;
  log: Logger;
  now: () => number;
}

export interface ServiceTokenWish {
  /** The calling service, for example `operation`. */
  service: string;
  companyId: number;
  /** The secret presented by the caller. */
  secret: string;
}

/**
 * Issues a token valid for SERVICE_TOKEN_TTL_SECONDS. AppError `unauthenticated` for a wrong secret, `not-found` for an
 * unknown company.
 */
export type IssueServiceToken = (wish: ServiceTokenWish) => Promise<{ token: string; company: CompanyRecord }>;

/**
 * The metrics count every refusal; the log is limited to one per interval, since anyone who reaches the port can cause
 * them.
 */
const WARN_EVERY_MS = 60_000;

export function createIssueServiceToken(deps: IssueServiceTokenDeps): IssueServiceToken {
  const { companies, keys, secret, log, now } = deps;
  let warnedAt = Number.NEGATIVE_INFINITY;
  return async (wish) => {
    if (secret === undefined || !isSame(wish.secret, secret)) {
      if (Math.abs(now() - warnedAt) >= WARN_EVERY_MS) {
        warnedAt = now();
        log.warn({ caller: wish.service }, "a token of a service was asked for with a wrong SERVICE_SECRET");
      }
      throw new AppError("unauthenticated", "This is not the SERVICE_SECRET of Auth.");
    }
    const company = await companies.get(wish.companyId);
    if (company === undefined || company.erasing === true) {
      throw new AppError("not-found", "There is no company with this id.");
    }
    const issuedAt = Math.floor(now() / 1000);
    const times = { issuedAt, expiresAt: issuedAt + SERVICE_TOKEN_TTL_SECONDS };
    const token = signServiceToken(keys.current(), {
      service: wish.service,
      companyId: wish.companyId,
      ...times,
    });
    return { token, company };
  };
}

/** Constant-time comparison, independent of where the texts differ and of their length. */
function isSame(shown: string, secret: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(shown), digest(secret));
}
