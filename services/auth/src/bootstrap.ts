import { AppError, type Config } from "@hourglass/runtime";
import type { Accounts } from "./accounts.js";
import { PRODUCT_UIDS, type CompanyRecord } from "./company.js";
import type { NewCompany } from "./create-company.js";
import type { NewUser } from "./create-user.js";
import { generatePassword } from "./passwords/generate-password.js";

export interface BootstrapDeps {
  accounts: Accounts;
  settings: Config["auth"]["bootstrap"];
  createCompany: (company: NewCompany) => Promise<CompanyRecord>;
  createUser: (user: NewUser) => Promise<unknown>;
}

/** The first user, told to whoever started the process; a generated password is kept nowhere. */
export interface Bootstrapped {
  email: string;
  password: string;
  generated: boolean;
}

/**
 * Makes the first company and user when there is no user yet; else, or when another process is quicker, does nothing.
 * A crash halfway leaves a company that the next start takes up.
 */
export function createBootstrap(deps: BootstrapDeps): () => Promise<Bootstrapped | undefined> {
  const { accounts, settings, createCompany, createUser } = deps;
  const { email, company } = settings;
  return async () => {
    if ((await accounts.users.find({}, { limit: 1 })).length > 0) return undefined;
    await unlessTaken(createCompany({ name: company, products: PRODUCT_UIDS }));
    const password = settings.password ?? generatePassword();
    const made = await unlessTaken(createUser({ email, company, firstName: "", lastName: "", password }));
    return made === undefined ? undefined : { email, password, generated: settings.password === undefined };
  };
}

async function unlessTaken<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.kind === "conflict") return undefined;
    throw error;
  }
}
