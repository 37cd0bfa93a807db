import {
  AppError,
  clientNetwork,
  isStoreFull,
  type AuditTrail,
  type Logger,
  pauseAfter,
  type RetryPolicy,
} from "@hourglass/runtime";
import { companyNeeded, type Account, type Accounts, type UserRecord } from "./accounts.js";
import { emailKey } from "./emails.js";
import type { PasswordHasher } from "./passwords.js";
import type { Tokens } from "./tokens.js";

/** Passwords that are checked at each sign-in without a company where there are several, whatever users have the e-mail. */
const CHECKS_AMONG_COMPANIES = 2;

/** Maximum number of delayed sign-ins of all clients; each is a timer and a pending call. */
const DELAYED_MAX = 1000;

export interface SignInOptions {
  accounts: Accounts;
  hasher: PasswordHasher;
  tokens: Tokens;
  audit: AuditTrail;
  log: Logger;
  /** That fail, per client and e-mail; 0: no limit. */
  attemptsPerMinute: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface SignInAttempt {
  email: string;
  password: string;
  /** Name of the company; empty: that of whoever has e-mail and password. */
  company?: string;
  /** Address of the client; may be empty. */
  address: string;
  requestId?: string;
  signal: AbortSignal;
}

export interface PasswordChange {
  /** The user's token; its session stays. */
  token: string;
  current: string;
  password: string;
  /** Address of the client; may be empty. */
  address: string;
  signal: AbortSignal;
}

export interface Session extends Account {
  token: string;
  /** Seconds since 1970. */
  expiresAt: number;
}

/** Exchanges e-mail and password for a token. */
export class SignIn {
  private readonly throttle: SignInThrottle;
  private readonly waitingRoom = new WaitingRoom(DELAYED_MAX);

  constructor(private readonly options: SignInOptions) {
    this.throttle = new SignInThrottle(options.attemptsPerMinute, options.now);
  }

  /**
   * AppError `unauthenticated` for wrong credentials: an unknown e-mail takes as much time and gets the same response as
   * a wrong password. AppError `too-many` if the attempt exceeds a limit; `invalid` if users of several companies have the
   * e-mail and the password, and no company is named.
   */
  async signIn(attempt: SignInAttempt): Promise<Session> {
    const { email, password, address, signal } = attempt;
    const { accounts, hasher, tokens } = this.options;
    await this.waitingRoom.wait(this.throttle.admit(email, address), signal);
    const [account, ...others] = await this.accountsOf(attempt);
    if (account === undefined) {
      throw new AppError("unauthenticated", "The e-mail or the password is wrong. Check both and try again.", {
        code: "wrong_credentials",
      });
    }
    this.throttle.succeeded(email, address);
    if (others.length > 0) {
      const names = [account, ...others].map(({ company }) => company.name);
      throw companyNeeded("user.company", names, "Users of several companies have this e-mail and password.");
    }
    const { user } = account;
    if (hasher.isOutdated(user.password_hash)) await accounts.replaceHash(user, await hasher.hash(password));
    await this.recordSignIn(account, attempt);
    return { ...account, ...tokens.issueUserToken(user) };
  }

  /** The accounts that e-mail and password open. */
  private async accountsOf({ email, password, company: name = "", signal }: SignInAttempt): Promise<Account[]> {
    const { accounts, hasher } = this.options;
    const users = await accounts.usersWithEmail(email, name);
    const candidates: (UserRecord | undefined)[] = [...users];
    // The time must not tell an admin, whose company may have a user with any e-mail, whether another company has one too.
    const checks = name === "" && (await accounts.isShared()) ? CHECKS_AMONG_COMPANIES : 1;
    while (candidates.length < checks) candidates.push(undefined);
    const matching = await Promise.all(
      candidates.map(async (user) => {
        const matches = await hasher.verify(user?.password_hash, password, signal);
        return matches && user?.active === true ? user : undefined;
      }),
    );
    const found: Account[] = [];
    for (const user of matching) {
      const company = user && (await accounts.activeCompany(user.company_id));
      if (user !== undefined && company !== undefined) found.push({ user, company });
    }
    return found;
  }

  private async recordSignIn({ user, company }: Account, { address, requestId = "" }: SignInAttempt): Promise<void> {
    const { audit, log } = this.options;
    const by = { userId: user.id, keyId: null };
    const { id, email } = user;
    const from = { requestId, clientAddress: address, about: { recordName: email } };
    try {
      await audit.record({ companyId: company.id, action: "user.sign_in", by, email, recordId: id, ...from });
    } catch (error) {
      // Users sign in to make room.
      if (!isStoreFull(error)) throw error;
      log.error({ err: error, userId: user.id }, "a sign-in is missing in the audit log: the store is full");
    }
  }

  /**
   * Sets the password of a user and ends their other sessions. AppError `invalid` if the current password is wrong, which
   * is limited like signing in.
   */
  async changePassword({ token, current, password, address, signal }: PasswordChange): Promise<void> {
    const { accounts, hasher, tokens } = this.options;
    const { user, session, version } = await tokens.read(token);
    await this.waitingRoom.wait(this.throttle.admit(user.email, address), signal);
    if (!(await hasher.verify(user.password_hash, current, signal))) {
      const message = "This is not your current password. Check it and try again.";
      throw AppError.invalid([{ field: "current_password", message }], "wrong_password");
    }
    this.throttle.succeeded(user.email, address);
    await accounts.changePassword(user, password, { id: session.id, version });
  }

  /** Lets the delayed attempts proceed at once. */
  close(): void {
    this.waitingRoom.empty();
  }
}

const DELAY: RetryPolicy = { firstMs: 250, maxMs: 4000, jitter: 0 };

/** Right passwords per minute and client: programs that sign in for each of their requests should keep their token. */
const SUCCEEDED_MAX = 120;

/**
 * Limits sign-in attempts within this process. One client, identified by its address, has a limited number of failed
 * attempts per minute in total and per e-mail, and a larger one of successful ones; further attempts are refused. Across
 * addresses nothing is refused, because a stranger could otherwise lock out the owner of an e-mail; instead, after that
 * many wrong passwords in a minute, attempts with that e-mail are delayed.
 */
export class SignInThrottle {
  /** By address, and by address and e-mail. */
  private readonly failed: AttemptCounter;
  private readonly succeededBy: AttemptCounter;
  private readonly wrongByEmail: AttemptCounter;

  /** `attemptsPerMinute` 0: no limit, no delay. */
  constructor(
    private readonly attemptsPerMinute: number,
    now: () => number = Date.now,
  ) {
    this.failed = new AttemptCounter(now);
    this.succeededBy = new AttemptCounter(now);
    this.wrongByEmail = new AttemptCounter(now);
  }

  /**
   * Counts an attempt, as a failed one until it succeeds. Returns its delay in milliseconds: 250 for the first beyond
   * the limit, doubled for each further one, at most 4,000. Fails with AppError `too-many` if it exceeds a limit of
   * its address, or of its address and e-mail. An empty address is unknown: it is limited only per e-mail.
   */
  admit(email: string, address: string): number {
    if (this.attemptsPerMinute === 0) return 0;
    const clients = clientsOf(email, address);
    for (const client of clients) {
      const { attempts, endsInMs } = this.succeededBy.look(client);
      if (attempts >= Math.max(SUCCEEDED_MAX, this.attemptsPerMinute)) throw tooMany(endsInMs);
    }
    for (const client of clients) {
      const { attempts, endsInMs } = this.failed.count(client);
      if (attempts > this.attemptsPerMinute) throw tooMany(endsInMs);
    }
    const beyond = this.wrongByEmail.count(emailKey(email)).attempts - this.attemptsPerMinute;
    return beyond <= 0 ? 0 : pauseAfter(DELAY, beyond);
  }

  /** Reports that an admitted attempt had the right password. */
  succeeded(email: string, address: string): void {
    if (this.attemptsPerMinute === 0) return;
    this.wrongByEmail.takeBack(emailKey(email));
    for (const client of clientsOf(email, address)) {
      this.failed.takeBack(client);
      this.succeededBy.count(client);
    }
  }
}

/** Whose attempts are counted together: those of an address, and those of an address with an e-mail. */
function clientsOf(email: string, address: string): string[] {
  const client = clientNetwork(address);
  const pair = `${client} ${emailKey(email)}`;
  return client === "" ? [pair] : [client, pair];
}

function tooMany(endsInMs: number): AppError {
  const seconds = Math.ceil(endsInMs / 1000);
  return new AppError("too-many", `Too many sign-in attempts. Try again in ${seconds} s.`, {
    code: "too_many_sign_in_attempts",
    retryAfterMs: endsInMs,
  });
}

const WINDOW_MS = 60_000;
const KEYS_MAX = 50_000;

interface Window {
  attempts: number;
  startedAt: number;
}

/**
 * Counts attempts per key in windows of one minute that begin with a key's first attempt. The number of keys is
 * bounded: a caller that floods it with invented keys displaces the oldest ones, most of them its own. Custom code,
 * since the memory store of rate-limiter-flexible 11.4 keeps any number of keys and supports only the system clock,
 * which may be set back.
 */
export class AttemptCounter {
  /** In the order in which the windows began. */
  private readonly windows = new Map<string, Window>();

  constructor(
    private readonly now: () => number = Date.now,
    private readonly keysMax: number = KEYS_MAX,
  ) {}

  /**
   * Counts an attempt. Returns the number of attempts in the key's window, and the milliseconds until the window ends.
   */
  count(key: string): { attempts: number; endsInMs: number } {
    const window = this.windowOf(key);
    window.attempts += 1;
    return this.stateOf(window);
  }

  /** The same without counting one. */
  look(key: string): { attempts: number; endsInMs: number } {
    const window = this.windows.get(key);
    if (window === undefined || !isRunning(window, this.now())) return { attempts: 0, endsInMs: 0 };
    return this.stateOf(window);
  }

  /** Undoes the count of an attempt, unless its window is over. */
  takeBack(key: string): void {
    const window = this.windows.get(key);
    if (window !== undefined && window.attempts > 0) window.attempts -= 1;
  }

  private stateOf({ attempts, startedAt }: Window): { attempts: number; endsInMs: number } {
    return { attempts, endsInMs: startedAt + WINDOW_MS - this.now() };
  }

  private windowOf(key: string): Window {
    const now = this.now();
    const present = this.windows.get(key);
    if (present !== undefined && isRunning(present, now)) return present;
    this.windows.delete(key);
    this.makeRoom(now);
    const window = { attempts: 0, startedAt: now };
    this.windows.set(key, window);
    return window;
  }

  private makeRoom(now: number): void {
    for (const [key, window] of this.windows) {
      if (this.windows.size < this.keysMax && isRunning(window, now)) return;
      this.windows.delete(key);
    }
  }
}

function isRunning({ startedAt }: Window, now: number): boolean {
  const age = now - startedAt; // negative after the clock was set back
  return age >= 0 && age < WINDOW_MS;
}

/** Delays callers, a limited number at a time. */
export class WaitingRoom {
  /** Functions that release the callers, in order of arrival. */
  private readonly waiting = new Set<() => void>();

  constructor(private readonly placesMax: number) {}

  /**
   * Resolves after the given number of milliseconds. A full room turns no caller away: the one that has waited longest
   * is released at once to make room. Fails with the signal's reason if the signal ends the wait.
   */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0) return;
    const [longest] = this.waiting;
    if (this.waiting.size >= this.placesMax) longest?.();
    await new Promise<void>((resolve) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", leave);
        this.waiting.delete(leave);
        resolve();
      };
      const timer = setTimeout(leave, ms);
      signal?.addEventListener("abort", leave);
      this.waiting.add(leave);
      if (signal?.aborted === true) leave();
    });
    signal?.throwIfAborted();
  }

  /** Releases all callers. */
  empty(): void {
    for (const leave of this.waiting) leave();
  }
}
