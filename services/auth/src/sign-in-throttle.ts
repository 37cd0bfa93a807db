import { AppError, clientNetwork } from "@hourglass/runtime";
import { AttemptCounter } from "./attempt-counter.js";
import { emailKey } from "./user.js";

const FIRST_DELAY_MS = 250;
const DELAY_MAX_MS = 4000;

/**
 * Limits sign-in attempts within this process. One client, by its address, may make so many a minute, and so many with
 * one e-mail; more are refused. Over all addresses nothing is refused, or a stranger could keep the owner of an e-mail
 * out: after as many wrong passwords in a minute, attempts with that e-mail are delayed.
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
   * Counts an attempt, as a wrong one until it has succeeded. Returns for how many milliseconds it is to be delayed: 250
   * for the first beyond the limit, twice as long for each further one, 4,000 at most. Fails with AppError `too-many`
   * when it is one too many for its address, or for its address and e-mail. An empty address is not known: it is
   * limited with each e-mail only.
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

  /** An admitted attempt had the right password. */
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
