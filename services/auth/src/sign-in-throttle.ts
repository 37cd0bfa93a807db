import { isIPv6 } from "node:net";
import { AppError } from "@hourglass/runtime";
import { AttemptLimiter } from "./attempt-limiter.js";
import { emailKey } from "./user.js";

/** Limits sign-in attempts, successful or not, per client address and per e-mail, within this process. */
export class SignInThrottle {
  private readonly byAddress: AttemptLimiter;
  private readonly byEmail: AttemptLimiter;

  /** `attemptsPerMinute` 0: no limit. */
  constructor(attemptsPerMinute: number, now: () => number = Date.now) {
    this.byAddress = new AttemptLimiter(attemptsPerMinute, now);
    this.byEmail = new AttemptLimiter(attemptsPerMinute, now);
  }

  /** Counts an attempt; AppError `too-many` when it is one too many. An empty address is not limited. */
  admit(email: string, address: string): void {
    // The address first: one that is over its limit cannot use up the attempts of anybody's e-mail.
    const waitMs =
      (address === "" ? 0 : this.byAddress.attempt(network(address))) || this.byEmail.attempt(emailKey(email));
    if (waitMs === 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    throw new AppError("too-many", `Too many sign-in attempts. Try again in ${seconds} s.`, {
      code: "too_many_sign_in_attempts",
      retryAfterMs: waitMs,
    });
  }
}

/** One household or server has a whole /64 of IPv6 addresses to choose from, so these count as one. */
function network(address: string): string {
  const bare = address.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
  if (!isIPv6(bare)) return bare;
  const [head = "", tail] = bare.toLowerCase().split("::");
  const first = head.split(":").filter(Boolean);
  const last = tail?.split(":").filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array<string>(Math.max(0, zeros)).fill("0"), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
