import type { Store } from "@hourglass/runtime";
import type { Account, Accounts } from "./accounts.js";
import { namesTaken } from "./create-company.js";
import { findCompany } from "./find-account.js";
import { storedName } from "./names.js";
import type { PasswordHasher } from "../passwords/password-hasher.js";
import { emailKey, USER_COUNTER, type UserRecord } from "./user.js";

export interface CreateUserDeps {
  store: Store;
  accounts: Accounts;
  hasher: PasswordHasher;
  now: () => number;
}

export interface NewUser {
  email: string;
  /** Name of the company. */
  company: string;
  firstName: string;
  lastName: string;
  password: string;
}

/** Creates a user; AppError `conflict` if the e-mail is taken, `not-found` if there is no such company. */
export function createCreateUser(deps: CreateUserDeps): (user: NewUser) => Promise<Account> {
  const { store, accounts, hasher, now } = deps;
  return async ({ email, company: companyName, firstName, lastName, password }) => {
    const company = await findCompany(accounts, companyName);
    const user: UserRecord = {
      email: email.normalize("NFC"),
      email_key: emailKey(email),
      first_name: storedName("first_name", firstName),
      last_name: storedName("last_name", lastName),
      company_id: company.id,
      password_hash: await hasher.hash(password),
      token_version: 1,
      created_at: new Date(now()).toISOString(),
      id: await store.nextId(USER_COUNTER),
    };
    try {
      await accounts.users.insert(user);
    } catch (error) {
      throw namesTaken(error, `A user with the e-mail ${user.email} exists already. Give another e-mail.`);
    }
    return { user, company };
  };
}
