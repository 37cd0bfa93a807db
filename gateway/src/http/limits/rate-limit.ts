import type { Principal } from "@hourglass/runtime";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { OverQuota, type Quota } from "../errors.js";
import type { HeaderList } from "../headers.js";

const WINDOW_SECONDS = 60;

/** Receives the headers that tell how much of a limit is left. */
interface RateReport {
  /** RateLimit headers of the response. */
  rateHeaders: HeaderList;
}

/** Counts a request of its user. Fails with AppError `too-many`; in both cases the response tells how much is left. */
export type CountRequest = (exchange: RateReport, principal: Principal) => Promise<void>;

/** Limits the requests of each user per minute; 0: no limit. */
export function createUserLimit(perMinute: number): CountRequest | undefined {
  if (perMinute === 0) return undefined;
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  const policy = `"user";q=${perMinute};w=${WINDOW_SECONDS}`;
  const quota: Quota = { name: "user", limit: perMinute, windowSeconds: WINDOW_SECONDS };
  return async (exchange, principal) => {
    try {
      const { remainingPoints, msBeforeNext } = await limiter.consume(principal.userId);
      const reset = Math.ceil(msBeforeNext / 1000);
      exchange.rateHeaders = ["RateLimit", `"user";r=${remainingPoints};t=${reset}`, "RateLimit-Policy", policy];
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new OverQuota(quota, `You have sent more than ${perMinute} requests in a minute. Try again later.`, {
        retryAfterMs: refusal.msBeforeNext,
      });
    }
  };
}
