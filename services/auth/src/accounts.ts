import {
  AppError,
  giveOneOf,
  ofCompany,
  type Collection,
  type CollectionDeclaration,
  type FieldViolation,
  type Logger,
  type Principal,
  type Role,
  roleOf,
  type Store,
} from "@hourglass/runtime";
import type { AuthConfig } from "./config.js";
import { emailKey, storedEmail } from "./emails.js";
import { writeFirstPassword } from "./first-password.js";
import { generatePassword, type PasswordHasher } from "./passwords.js";

/** All products; each company has all of them, active or not. */
const PRODUCT_UIDS = ["api", "insight"] as const;

type ProductUid = (typeof PRODUCT_UIDS)[number];

/** A customer of this server; users and all records belong to one. */
export interface CompanyRecord {
  id: number;
  name: string;
  /** One flat field per product, so that a product can be switched without reading the others. */
  api_active: boolean;
  insight_active: boolean;
  /** ISO 8601. */
  created_at: string;
  /** How often an admin was taken from the company; absent: never. */
  admin_changes?: number | null;
  /** Present while all that the company has is being erased: no user can sign in, and no token works. */
  erasing?: true;
}

export const COMPANIES: CollectionDeclaration<CompanyRecord> = {
  name: "companies",
  indexes: [{ fields: ["name"], unique: true }],
  belongs: { because: "the record of a company is erased last, together with the end of its erasure" },
};

/** A user who can sign in. */
export interface UserRecord {
  id: number;
  /** See `storedEmail`. */
  email: string;
  /** See `emailKey`. */
  email_key: string;
  first_name: string;
  last_name: string;
  company_id: number;
  /** Argon2id, in PHC form. */
  password_hash: string;
  /** Increased to end all sessions; tokens carry the version for which they were made. */
  token_version: number;
  /** The session in which the password was changed: its tokens of that version stay valid. */
  kept_session?: { id: string; version: number } | null;
  role: Role;
  /** False: the user cannot sign in. */
  active: boolean;
  /** ISO 8601. */
  created_at: string;
}

export const USERS: CollectionDeclaration<UserRecord> = {
  name: "users",
  // Of two companies each has its own user with an e-mail: neither learns of, nor takes, what the other one has.
  indexes: [{ fields: ["email_key"] }, { fields: ["company_id", "email_key"], unique: true }],
  belongs: [ofCompany("company_id")],
};

/** Names of the counters for ids. */
const COUNTERS = { company: "companies", user: "users" } as const;

/** A user with the company they belong to. */
export interface Account {
  user: UserRecord;
  company: CompanyRecord;
}

export interface NewCompany {
  name: string;
  /** Uids of the products that are active from the start. */
  products: readonly string[];
}

export interface NewUser {
  email: string;
  /** Name of the company. */
  company: string;
  firstName: string;
  lastName: string;
  password: string;
  role: Role;
}

export interface ProductSwitch {
  /** Name of the company. */
  company: string;
  uid: string;
  active: boolean;
}

/** The first user and a valid password. */
export interface Bootstrapped {
  email: string;
  password: string;
  generated: boolean;
  /** The file that a generated password was written to. */
  file?: string;
  /** Whether this start created the user. */
  made: boolean;
}

export interface AccountsOptions {
  store: Store;
  hasher: PasswordHasher;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Logger;
}

/** Companies, their products and their users: the records, and what an operator does with them. */
export class Accounts {
  private constructor(
    private readonly options: AccountsOptions,
    private readonly companies: Collection<CompanyRecord>,
    private readonly users: Collection<UserRecord>,
  ) {}

  static async open(options: AccountsOptions): Promise<Accounts> {
    const { store } = options;
    return new Accounts(options, await store.collection(COMPANIES), await store.collection(USERS));
  }

  /** Creates a company; AppError `conflict` if the name is taken. */
  async createCompany({ name, products }: NewCompany): Promise<CompanyRecord> {
    const stored = storedName("name", name);
    if (stored === "")
      throw AppError.invalid([{ field: "name", message: "Give a name that is more than white space." }]);
    const company: CompanyRecord = {
      id: await this.options.store.nextId(COUNTERS.company),
      name: stored,
      api_active: products.includes("api"),
      insight_active: products.includes("insight"),
      created_at: this.timestamp(),
    };
    try {
      await this.companies.insert(company);
    } catch (error) {
      throw alreadyExists(error, `A company named "${stored}" exists already. Choose another name.`);
    }
    return company;
  }

  /** All companies, by id. */
  listCompanies(): Promise<CompanyRecord[]> {
    return this.companies.find({});
  }

  /** The company with that id; undefined if there is none, or it is being erased. */
  async activeCompany(id: number): Promise<CompanyRecord | undefined> {
    const company = await this.companies.get(id);
    return company?.erasing === true ? undefined : company;
  }

  /** The company of a user, also while it is being erased; AppError `not-found` if it is gone. */
  async companyOf({ company_id }: UserRecord): Promise<CompanyRecord> {
    const company = await this.companies.get(company_id);
    if (company === undefined) throw noSuchCompany(String(company_id));
    return company;
  }

  /** Switches a product of a company on or off; AppError `not-found` if there is no such company. */
  async setProduct({ company: name, uid, active }: ProductSwitch): Promise<CompanyRecord> {
    if (!PRODUCT_UIDS.some((known) => known === uid)) {
      throw AppError.invalid([{ field: "uid", message: giveOneOf(PRODUCT_UIDS, uid) }]);
    }
    const { id } = await this.companyNamed(name);
    const set = uid === "api" ? { api_active: active } : { insight_active: active };
    const company = await this.companies.update({ id }, { set });
    if (company === undefined) throw noSuchCompany(name);
    return company;
  }

  /** The company with that name; AppError `not-found` if there is none, `conflict` while it is being erased. */
  async companyNamed(name: string): Promise<CompanyRecord> {
    const stored = storedName("company", name);
    const [company] = await this.companies.find({ name: stored }, { limit: 1 });
    if (company === undefined) throw noSuchCompany(stored);
    if (company.erasing !== true) return company;
    const remedy = "Run company delete again: it completes the erasure.";
    throw new AppError("conflict", `The company "${stored}" is being erased. ${remedy}`);
  }

  /** Creates a user; AppError `conflict` if one of the company has the e-mail, `not-found` if there is no such company. */
  async createUser({ company: companyName, ...user }: NewUser): Promise<Account> {
    const company = await this.companyNamed(companyName);
    return { user: await this.createUserOf(company.id, user), company };
  }

  private async createUserOf(companyId: number, wanted: Omit<NewUser, "company">): Promise<UserRecord> {
    const user = await this.newUserOf(companyId, wanted);
    try {
      await this.users.insert(user);
    } catch (error) {
      throw emailTaken(error, user.email);
    }
    return user;
  }

  /** A user of the company with that id, who is not stored yet. */
  async newUserOf(
    companyId: number,
    { email, firstName, lastName, password, role }: Omit<NewUser, "company">,
  ): Promise<UserRecord> {
    const { store, hasher } = this.options;
    return {
      email: storedEmail(email),
      email_key: emailKey(email),
      first_name: storedName("first_name", firstName),
      last_name: storedName("last_name", lastName),
      company_id: companyId,
      password_hash: await hasher.hash(password),
      token_version: 1,
      role,
      active: true,
      created_at: this.timestamp(),
      id: await store.nextId(COUNTERS.user),
    };
  }

  /** All users with their companies, by id. */
  async listUsers(): Promise<Account[]> {
    const companies = new Map((await this.companies.find({})).map((company) => [company.id, company]));
    return (await this.users.find({})).flatMap((user) => {
      const company = companies.get(user.company_id);
      return company === undefined ? [] : [{ user, company }];
    });
  }

  user(id: number): Promise<UserRecord | undefined> {
    return this.users.get(id);
  }

  /** The users with that e-mail, at most one of each company, and of the named one alone if one is named; by id. */
  async usersWithEmail(email: string, companyName = ""): Promise<UserRecord[]> {
    const users = await this.users.find({ email_key: emailKey(email) });
    if (companyName === "") return users;
    const [company] = await this.companies.find({ name: comparedName(companyName) }, { limit: 1 });
    return users.filter(({ company_id }) => company_id === company?.id);
  }

  /** Whether there are several companies, whose users may have the same e-mail. */
  async isShared(): Promise<boolean> {
    return (await this.companies.find({}, { limit: 2 })).length > 1;
  }

  /**
   * Sets a user's password and ends all their sessions; AppError `not-found` if there is no such user, `invalid` if several
   * companies have one.
   */
  async setPassword(email: string, password: string, companyName?: string): Promise<UserRecord> {
    const { id } = await this.requireUser(email, companyName);
    const password_hash = await this.options.hasher.hash(password);
    // One write, so that sessions of the old password never coexist with the new one.
    const change = { set: { password_hash, kept_session: null }, increment: { token_version: 1 } };
    const user = await this.users.update({ id }, change);
    if (user === undefined) throw noSuchUser(email);
    return user;
  }

  /** Sets a user's password and ends all their sessions but one; AppError `conflict` if another request was faster. */
  async changePassword(
    { id, token_version }: UserRecord,
    password: string,
    kept_session: NonNullable<UserRecord["kept_session"]>,
  ): Promise<void> {
    const password_hash = await this.options.hasher.hash(password);
    const change = { set: { password_hash, kept_session }, increment: { token_version: 1 } };
    if ((await this.users.update({ id, token_version }, change)) !== undefined) return;
    throw new AppError("conflict", "Your sessions were ended meanwhile. Sign in again.");
  }

  /** Stores a new hash of the same password, unless the password has been changed since the record was read. */
  async replaceHash({ id, password_hash: old }: UserRecord, password_hash: string): Promise<void> {
    await this.users.update({ id, password_hash: old }, { set: { password_hash } });
  }

  /** The user with that e-mail; AppError `not-found` if there is none, `invalid` if several companies have one. */
  async requireUser(email: string, companyName?: string): Promise<UserRecord> {
    const [user, ...others] = await this.usersWithEmail(email, companyName);
    if (user === undefined) throw noSuchUser(email);
    if (others.length === 0) return user;
    throw companyNeeded("company", await this.namesOf([user, ...others]), `Several users have the e-mail ${email}.`);
  }

  /** The names of the companies of users. */
  async namesOf(users: readonly UserRecord[]): Promise<string[]> {
    const companies = await this.companies.find({ id: { in: users.map(({ company_id }) => company_id) } });
    return companies.map(({ name }) => name);
  }

  /**
   * Creates the first company and user if there is no user yet, unless another process is faster. A crash halfway leaves
   * a company that the next start uses. If users exist, BOOTSTRAP_PASSWORD is compared with the stored password, and a
   * warning is logged if it differs. Returns undefined if the password is not known.
   */
  async bootstrap(settings: AuthConfig["bootstrap"], dataDir: string): Promise<Bootstrapped | undefined> {
    if ((await this.users.find({}, { limit: 1 })).length > 0) return this.checkBootstrap(settings);
    const { email, company } = settings;
    await unlessTaken(this.createCompany({ name: company, products: PRODUCT_UIDS }));
    const user = { email, company, firstName: "", lastName: "", role: "admin" } as const;
    if (settings.password !== undefined) {
      const made = await unlessTaken(this.createUser({ ...user, password: settings.password }));
      return made && { email, password: settings.password, generated: false, made: true };
    }
    const password = generatePassword();
    // Before there is the user: a crash in between must leave nobody whose password is lost.
    const written = await writeFirstPassword(dataDir, password);
    const made = await unlessTaken(this.createUser({ ...user, password }));
    if (made !== undefined) return { email, password, generated: true, made: true, file: await written.keep() };
    await written.remove();
    return undefined;
  }

  private async checkBootstrap({ email, password }: AuthConfig["bootstrap"]): Promise<Bootstrapped | undefined> {
    if (password === undefined) return undefined;
    const { hasher, log } = this.options;
    const users = await this.usersWithEmail(email);
    for (const { password_hash } of users) {
      if (await hasher.verify(password_hash, password)) return { email, password, generated: false, made: false };
    }
    const [user] = users;
    const remedy = user === undefined ? "npm run -s admin -- user create makes users" : `${SET_PASSWORD} changes it`;
    log.warn(
      { userId: user?.id, remedy },
      user === undefined
        ? "BOOTSTRAP_EMAIL names no user: it counts at the first start only, and there are users already"
        : "BOOTSTRAP_PASSWORD is not the password of the first user: it counts at the first start only",
    );
    return undefined;
  }

  /** The current time, as records have it. */
  private timestamp(): string {
    return new Date(this.options.now()).toISOString();
  }
}

const SET_PASSWORD = "npm run -s admin -- user set-password --email";

async function unlessTaken<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.kind === "conflict") return undefined;
    throw error;
  }
}

/** The error where users of several companies are meant; `companies` names them to somebody who may know that. */
export function companyNeeded(field: string, companies: readonly string[], reason: string): AppError {
  const message = `${reason} ${giveOneOf(companies)}`;
  return AppError.invalid([{ field, message }], "company_needed");
}

/** Replaces a store conflict over an e-mail by a failure for the caller. */
export function emailTaken(error: unknown, email: string): unknown {
  const message = `A user of the company has the e-mail ${email} already. Give another e-mail.`;
  return alreadyExists(error, message, [{ field: "email", message }]);
}

/** Replaces a store conflict by a failure for the caller. */
function alreadyExists(error: unknown, message: string, violations: readonly FieldViolation[] = []): unknown {
  if (!(error instanceof AppError) || error.kind !== "conflict") return error;
  return new AppError("conflict", message, { code: "already_exists", violations, cause: error });
}

/** The error of a command on an unknown company. */
export function noSuchCompany(name: string): AppError {
  return new AppError("not-found", `There is no company named "${name}". The command company list shows them all.`);
}

function noSuchUser(email: string): AppError {
  return new AppError("not-found", `There is no user with the e-mail ${email}. The command user list shows them all.`);
}

/**
 * The stored form of a person's or company's name: trimmed, with accents normalized. AppError `invalid` if it contains
 * line breaks, tabs or other control characters, which would break lists and logs.
 */
export function storedName(field: string, name: string): string {
  if (/\p{Cc}/u.test(name))
    throw AppError.invalid([{ field, message: "Give a name without line breaks, tabs and other control characters." }]);
  return comparedName(name);
}

/** A name as `storedName` stores it, of a text that may be none. */
function comparedName(name: string): string {
  return name.normalize("NFC").trim();
}

/** All products with their state, in a fixed order. */
export function productsOf(company: CompanyRecord): { uid: ProductUid; active: boolean }[] {
  return PRODUCT_UIDS.map((uid) => ({ uid, active: company[`${uid}_active`] }));
}

/** The role of a user; the least for one that only a later release knows. */
export function roleIn({ role }: Pick<UserRecord, "role">): Role {
  return roleOf(role);
}

/** The account data that other services may know. */
export function toPrincipal({ user, company }: Account): Principal {
  return {
    userId: user.id,
    companyId: company.id,
    companyName: company.name,
    email: user.email,
    firstName: user.first_name,
    lastName: user.last_name,
    products: productsOf(company),
    role: roleIn(user),
  };
}
