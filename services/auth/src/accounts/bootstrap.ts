import { AppError, type Logger } from "@hourglass/runtime";
import type { Accounts } from "./accounts.js";
import { PRODUCT_UIDS, type CompanyRecord } from "./company.js";
import type { NewCompany } from "./create-company.js";
import type { NewUser } from "./create-user.js";
import type { AuthConfig } from "../config.js";
import { generatePassword } from "../passwords/generate-password.js";
import type { PasswordHasher } from "../passwords/password-hasher.js";
import { emailKey } from "./user.js";

export interface BootstrapDeps {
  accounts: Accounts;
  settings: AuthConfig["bootstrap"];
  createCompany: (company: NewCompany) => Promise<CompanyRecord>;
  createUser: (user: NewUser) => Promise<unknown>;
  hasher: Pick<PasswordHasher, "verify">;
  log: Logger;
}

/** The first user and a valid password, shown to whoever started the process; a generated one is stored nowhere. */
export interface Bootstrapped {
  email: string;
  password: string;
  generated: boolean;
  /** Whether this start created the user. */
  made: boolean;
}

/**
 * Creates the first company and user if there is no user yet, unless another process is faster. A crash halfway leaves
 * a company that the next start uses. If users exist, BOOTSTRAP_PASSWORD is compared with the stored password, and a
 * warning is logged if it differs. Returns undefined if the password is not known.
 */
export function createBootstrap(deps: BootstrapDeps): () => Promise<Bootstrapped | undefined> {
  const { accounts, settings, createCompany, createUser } = deps;
  const { email, company } = settings;
  return async () => {
    if ((await accounts.users.find({}, { limit: 1 })).length > 0) return compare(deps);
    await unlessTaken(createCompany({ name: company, products: PRODUCT_UIDS }));
    const password = settings.password ?? generatePassword();
    const made = await unlessTaken(createUser({ email, company, firstName: "", lastName: "", password }));
    return made === undefined ? undefined : { email, password, generated: settings.password === undefined, made: true };
  };
}

const SET_PASSWORD = "npm run -s admin -- user set-password --email";

async function compare({ accounts, settings, hasher, log }: BootstrapDeps): Promise<Bootstrapped | undefined> {
  const { email, password } = settings;
  if (password === undefined) return undefined;
  const [user] = await accounts.users.find({ email_key: emailKey(email) }, { limit: 1 });
  if (user !== undefined && (await hasher.verify(user.password_hash, password))) {
    return { email, password, generated: false, made: false };
  }
  const remedy = user === undefined ? "npm run -s admin -- user create makes users" : `${SET_PASSWORD} changes it`;
  log.warn(
    { userId: user?.id, remedy },
    user === undefined
      ? "BOOTSTRAP_EMAIL names no user: it counts at the first start only, and there are users already"
      : "BOOTSTRAP_PASSWORD is not the password of the first user: it counts at the first start only",
  );
  return undefined;
}

async function unlessTaken<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.kind === "conflict") return undefined;
    throw error;
  }
}
