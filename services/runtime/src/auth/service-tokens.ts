import type { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import QuickLRU from "quick-lru";
import { AppError } from "../errors/app-error.js";
import type { ErrorCode } from "../errors/error-codes.js";
import type { Logger } from "../log.js";
import type { Client } from "../rpc/service.js";
import { PRINCIPAL_FRESH_MS } from "./tokens.js";

/** Error code of a call whose service token was refused by the callee. */
export const SERVICE_TOKEN_REFUSED = "service_token_refused";

const ISSUE_TIMEOUT_MS = 5000;
/** A token with less time left is replaced, so that it does not expire during a call. */
const RENEW_BEFORE_MS = 60_000;
const COMPANIES_MAX = 10_000;

interface ServiceTokensOptions {
  auth: Pick<Client<typeof AuthService>, "issueServiceToken">;
  /** Name of the calling service, for example `operation`. */
  service: string;
  /** The secret by which Auth recognizes services. */
  secret: string;
  log: Logger;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

interface IssuedToken {
  token: string;
  /** On the clock of this process, so that the clocks of two machines may differ. */
  renewAt: number;
  requestedAt: number;
  /** At the time of the request. */
  activeProducts: readonly string[];
}

/** The tokens that this service uses for calls on its own behalf. Each is requested once and used for some minutes. */
export class ServiceTokens {
  private readonly tokens = new QuickLRU<number, IssuedToken>({ maxSize: COMPANIES_MAX });
  private readonly pending = new Map<number, Promise<IssuedToken>>();

  constructor(private readonly options: ServiceTokensOptions) {}

  /**
   * Calls with a token for the company. If the token is refused, its key is assumed to be gone, and the call is made
   * again with a new token. Fails as the call does, or with AppError `unavailable` if no token can be obtained; the
   * code is SERVICE_TOKEN_REFUSED if the callee refuses both tokens.
   */
  async call<T>(companyId: number, work: (token: string) => Promise<T>): Promise<T> {
    const first = await this.tokenOf(companyId);
    try {
      return await work(first);
    } catch (error) {
      if (!isUnauthenticated(error)) throw error;
      const second = await this.tokenOf(companyId, first);
      return await work(second).catch((again: unknown) => {
        throw isUnauthenticated(again) ? this.refused(again) : again;
      });
    }
  }

  /**
   * Whether a product is active for the company, as of at most a second ago: for work without a user, whose
   * token would carry it. Not for a company that does not exist. Fails with AppError `unavailable` if Auth cannot be reached.
   */
  async isActive(companyId: number, product: string): Promise<boolean> {
    const present = this.tokens.get(companyId);
    const isFresh = present !== undefined && this.now() - present.requestedAt < PRINCIPAL_FRESH_MS;
    try {
      const { activeProducts } = isFresh ? present : await this.request(companyId);
      return activeProducts.includes(product);
    } catch (error) {
      if (error instanceof AppError && error.cause instanceof AppError && error.cause.kind === "not-found")
        return false;
      throw error;
    }
  }

  private now(): number {
    return this.options.now?.() ?? performance.now();
  }

  /** A token other than `spent` that has time left. */
  private async tokenOf(companyId: number, spent?: string): Promise<string> {
    const present = this.tokens.get(companyId);
    if (present !== undefined && present.token !== spent && present.renewAt > this.now()) return present.token;
    return (await this.request(companyId)).token;
  }

  /** A new token. Concurrent callers share it. */
  private async request(companyId: number): Promise<IssuedToken> {
    let request = this.pending.get(companyId);
    if (request === undefined) {
      request = this.issue(companyId, this.now()).finally(() => this.pending.delete(companyId));
      this.pending.set(companyId, request);
    }
    const issued = await request;
    this.tokens.set(companyId, issued);
    return issued;
  }

  private async issue(companyId: number, requestedAt: number): Promise<IssuedToken> {
    const { auth, service, secret, log } = this.options;
    try {
      const request = { service, companyId: BigInt(companyId), secret };
      const issued = await auth.issueServiceToken(request, { timeoutMs: ISSUE_TIMEOUT_MS });
      const { token, expiresInSeconds, company } = issued;
      const activeProducts = (company?.products ?? []).filter(({ active }) => active).map(({ uid }) => uid);
      return { token, renewAt: requestedAt + expiresInSeconds * 1000 - RENEW_BEFORE_MS, requestedAt, activeProducts };
    } catch (error) {
      if (isUnauthenticated(error)) log.error({ err: error }, "Auth has another SERVICE_SECRET than this process");
      throw unavailable(error);
    }
  }

  private refused(cause: unknown): AppError {
    this.options.log.warn({ err: cause }, "tokens of services cannot be used: a token of this service is refused");
    return unavailable(cause, SERVICE_TOKEN_REFUSED);
  }
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof AppError && error.kind === "unauthenticated";
}

function unavailable(cause: unknown, code?: ErrorCode): AppError {
  return new AppError("unavailable", "Another part of the server cannot be used at the moment. Try again later.", {
    cause,
    retryAfterMs: 1000,
    ...(code === undefined ? {} : { code }),
  });
}
