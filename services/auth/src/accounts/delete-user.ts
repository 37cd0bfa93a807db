import type { Accounts } from "./accounts.js";
import { noSuchUser } from "./find-account.js";
import { emailKey } from "./user.js";

/** Removes a user, which ends their sessions; AppError `not-found` if there is no such user. */
export function createDeleteUser({ users }: Accounts): (email: string) => Promise<void> {
  return async (email) => {
    if ((await users.delete({ email_key: emailKey(email) })) === 0) throw noSuchUser(email);
  };
}
