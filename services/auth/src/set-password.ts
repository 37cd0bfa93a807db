import type { Accounts } from "./accounts.js";
import { noSuchUser } from "./find-account.js";
import type { PasswordHasher } from "./passwords/password-hasher.js";
import { emailKey } from "./user.js";

/** Gives a user a new password and ends all their sessions; AppError `not-found` without such a user. */
export function createSetPassword(
  { users }: Accounts,
  hasher: PasswordHasher,
): (email: string, password: string) => Promise<void> {
  return async (email, password) => {
    const password_hash = await hasher.hash(password);
    // One write: at no time does the old password's session stand beside the new password.
    const change = { set: { password_hash }, increment: { token_version: 1 } };
    const user = await users.update({ email_key: emailKey(email) }, change);
    if (user === undefined) throw noSuchUser(email);
  };
}
