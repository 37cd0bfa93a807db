import type { Accounts } from "./accounts.js";
import { noSuchUser } from "./find-account.js";
import type { PasswordHasher } from "../passwords/password-hasher.js";
import { emailKey } from "./user.js";

/** Sets a user's password and ends all their sessions; AppError `not-found` if there is no such user. */
export function createSetPassword(
  { users }: Accounts,
  hasher: PasswordHasher,
): (email: string, password: string) => Promise<void> {
  return async (email, password) => {
    const password_hash = await hasher.hash(password);
    // One write, so that sessions of the old password never coexist with the new one.
    const change = { set: { password_hash }, increment: { token_version: 1 } };
    const user = await users.update({ email_key: emailKey(email) }, change);
    if (user === undefined) throw noSuchUser(email);
  };
}
