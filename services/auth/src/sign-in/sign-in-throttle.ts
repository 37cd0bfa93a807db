import { AppError, clientNetwork } from "@hourglass/runtime";
import { AttemptCounter } from "./attempt-counter.js";
import { emailKey } from "../accounts/user.js";

const FIRST_DELAY_MS = 250;
const DELAY_MAX_MS = 4000;

/**
 * Limits sign-in attempts within this process. One client, identified by its address, has a limited number of attempts
 * per minute in total and per e-mail; further ones are refused. Across addresses nothing is refused, because a stranger
 * could otherwise lock out the owner of an e-mail; instead, after that many wrong passwords in a minute, attempts with
 * that e-mail are delayed.
 */
export class SignInThrottle {
  private readonly byAddress: AttemptCounter;
  private readonly byAddressAndEmail: AttemptCounter;
  private readonly wrongByEmail: AttemptCounter;

  /** `attemptsPerMinute` 0: no limit, no delay. */
  constructor(
    private readonly attemptsPerMinute: number,
    now: () => number = Date.now,
  ) {
    this.byAddress = new AttemptCounter(now);
    this.byAddressAndEmail = new AttemptCounter(now);
    this.wrongByEmail = new AttemptCounter(now);
  }

  /**
   * Counts an attempt, as a wrong one until it succeeds. Returns its delay in milliseconds: 250 for the first beyond
   * the limit, doubled for each further one, at most 4,000. Fails with AppError `too-many` if it exceeds the limit of
   * its address, or of its address and e-mail. An empty address is unknown: it is limited only per e-mail.
   */
  admit(email: string, address: string): number {
    if (this.attemptsPerMinute === 0) return 0;
    const client = clientNetwork(address);
    const key = emailKey(email);
    if (client !== "") this.limit(this.byAddress, client);
    this.limit(this.byAddressAndEmail, `${client} ${key}`);
    const beyond = this.wrongByEmail.count(key).attempts - this.attemptsPerMinute;
    return beyond <= 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (beyond - 1), DELAY_MAX_MS);
  }

  /** Reports that an admitted attempt had the right password. */
  succeeded(email: string): void {
    this.wrongByEmail.takeBack(emailKey(email));
  }

  private limit(counter: AttemptCounter, key: string): void {
    const { attempts, endsInMs } = counter.count(key);
    if (attempts <= this.attemptsPerMinute) return;
    const seconds = Math.ceil(endsInMs / 1000);
    throw new AppError("too-many", `Too many sign-in attempts. Try again in ${seconds} s.`, {
      code: "too_many_sign_in_attempts",
      retryAfterMs: endsInMs,
    });
  }
}
