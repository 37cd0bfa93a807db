import { AppError } from "@hourglass/runtime";
import type { Account, Accounts } from "../accounts/accounts.js";
import type { KeyRing } from "../keys/key-ring.js";
import { signUserToken } from "../keys/sign-token.js";
import type { PasswordHasher } from "../passwords/password-hasher.js";
import type { SignInThrottle } from "./sign-in-throttle.js";
import { emailKey, type UserRecord } from "../accounts/user.js";
import type { WaitingRoom } from "./waiting-room.js";

export interface SignInDeps {
  accounts: Accounts;
  hasher: PasswordHasher;
  throttle: SignInThrottle;
  /** Holds delayed attempts. */
  waitingRoom: WaitingRoom;
  keys: KeyRing;
  tokenTtlSeconds: number;
  now: () => number;
}

export interface SignInAttempt {
  email: string;
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

/**
 * Exchanges e-mail and password for a token. An unknown e-mail takes as much time and gets the same response as a wrong
 * password.
 */
export function createSignIn(deps: SignInDeps): (attempt: SignInAttempt) => Promise<Session> {
  const { accounts, hasher, throttle, waitingRoom, keys, tokenTtlSeconds, now } = deps;
  return async ({ email, password, address, signal }) => {
    await waitingRoom.wait(throttle.admit(email, address), signal);
    const [user] = await accounts.users.find({ email_key: emailKey(email) }, { limit: 1 });
    const fits = await hasher.verify(user?.password_hash, password, signal);
    const company = user === undefined ? undefined : await accounts.companies.get(user.company_id);
    if (!fits || user === undefined || company === undefined || company.erasing === true) {
      throw new AppError("unauthenticated", "The e-mail or the password is wrong. Check both and try again.", {
        code: "wrong_credentials",
      });
    }
    throttle.succeeded(email);
    if (hasher.isOutdated(user.password_hash)) await rehash(deps, user, password);
    const issuedAt = Math.floor(now() / 1000);
    const expiresAt = issuedAt + tokenTtlSeconds;
    const claims = { userId: user.id, version: user.token_version, issuedAt, expiresAt };
    const token = signUserToken(keys.current(), claims);
    return { user, company, token, expiresAt };
  };
}

async function rehash({ accounts, hasher }: SignInDeps, user: UserRecord, password: string): Promise<void> {
  const password_hash = await hasher.hash(password);
  // Conditional, so that a password set in the meantime is kept.
  await accounts.users.update({ id: user.id, password_hash: user.password_hash }, { set: { password_hash } });
}
