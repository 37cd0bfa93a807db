import {
  AppError,
  changesBetween,
  deleteStep,
  checkStep,
  nameOf,
  updateStep,
  type AuditChange,
  type Change,
  type Collection,
  type Filter,
  type IdPage,
  type IdPageRequest,
  readIdPage,
  requireRevision,
  revisionOf,
  type Role,
  type Step,
  type Store,
} from "@hourglass/runtime";
import { COMPANIES, emailTaken, roleIn, storedName, USERS, type CompanyRecord, type UserRecord } from "./accounts.js";
import { API_KEYS, type ApiKeyRecord } from "./api-keys.js";
import { emailKey, storedEmail } from "./emails.js";

/** What an admin changes of a user; what is undefined stays. */
export interface UserChange {
  email?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  role?: Role | undefined;
  active?: boolean | undefined;
}

/** Somebody of a company. */
export interface Member {
  companyId: number;
  id: number;
}

/** How a user is changed. */
export interface ChangeOptions {
  /** Id of the admin who takes over the API keys of a user who leaves; undefined: the keys end. */
  keeper?: number | undefined;
  /** Revisions of which the user must have one, see `revisionOfUser`; empty: any. */
  ifMatch?: readonly string[];
  /** Called with what is about to change, before it does. */
  announce?: (user: UserRecord, changes: AuditChange[]) => Promise<void>;
}

/** A user who was changed, and the API keys that ended with it. */
export interface ChangedUser {
  user: UserRecord;
  ended: ApiKeyRecord[];
}

/** Who may do what in a company: the users as its admins manage them, and the API keys that end with them. */
export class CompanyUsers {
  private constructor(
    private readonly store: Store,
    private readonly companies: Collection<CompanyRecord>,
    private readonly users: Collection<UserRecord>,
    private readonly keys: Collection<ApiKeyRecord>,
  ) {}

  static async open(store: Store): Promise<CompanyUsers> {
    return new CompanyUsers(
      store,
      await store.collection(COMPANIES),
      await store.collection(USERS),
      await store.collection(API_KEYS),
    );
  }

  /** A page of the users of a company, newest first. */
  list(companyId: number, page: IdPageRequest): Promise<IdPage<UserRecord>> {
    return readIdPage(this.users, { company_id: companyId }, page);
  }

  /** A user of a company; AppError `not-found` for others. */
  async get({ companyId, id }: Member): Promise<UserRecord> {
    const user = await this.users.get(id);
    if (user?.company_id === companyId) return user;
    throw new AppError("not-found", "There is no such user, or they belong to another company.");
  }

  /**
   * Changes a user; one who becomes inactive loses their sessions and API keys. AppError `not-found`; `conflict` if another
   * user of the company has the e-mail; `precondition` if the company would have no admin, or the user has another revision.
   * Of changes that meet, each is made on what the one before has left.
   */
  async change(member: Member, wanted: UserChange, options: ChangeOptions = {}): Promise<ChangedUser> {
    for (;;) {
      const user = await this.get(member);
      requireRevision(options.ifMatch ?? [], revisionOfUser(user));
      const change = changeOf(user, wanted);
      await options.announce?.(user, changesBetween(shownOf(user), shownOf({ ...user, ...change.set })));
      const leaves = wanted.active === false;
      const remains = isAdmin({ role: wanted.role ?? roleIn(user), active: wanted.active ?? user.active });
      const steps = [updateStep(this.users, asItIs(user), change)];
      try {
        const ended = await this.commit(user, { remains, steps, leaves, ...options });
        // Not read again: others may have changed it since.
        if (ended !== undefined) return { user: { ...user, ...change.set }, ended };
      } catch (error) {
        throw wanted.email === undefined ? error : emailTaken(error, wanted.email);
      }
    }
  }

  /** Deletes a user, which ends their sessions and API keys; whether there is another admin is asked unless `force`. */
  async delete(member: Member, options: ChangeOptions & { force?: boolean } = {}): Promise<ChangedUser> {
    for (;;) {
      const user = await this.get(member);
      requireRevision(options.ifMatch ?? [], revisionOfUser(user));
      await options.announce?.(user, changesBetween(shownOf(user), {}));
      const steps = [checkStep(this.users, asItIs(user)), deleteStep(this.users, { id: user.id })];
      const remains = options.force === true;
      const ended = await this.commit(user, { remains, steps, leaves: true, ...options });
      if (ended !== undefined) return { user, ended };
    }
  }

  /**
   * Commits a change of a user, with what it does to their API keys; returns the keys that end, and undefined if something
   * else changed meanwhile. A change that takes an admin from the company also counts in its record, so that of two admins
   * who remove each other only one can.
   */
  private async commit(user: UserRecord, change: PlannedChange): Promise<ApiKeyRecord[] | undefined> {
    const { ended, steps: ofKeys } = await this.keySteps(user, change);
    const steps = [...change.steps, ...ofKeys];
    if (change.remains || !isAdmin({ role: roleIn(user), active: user.active })) {
      return (await this.store.commit(steps)).done ? ended : undefined;
    }
    const { company_id: id } = user;
    const { admin_changes: changes = null } = (await this.companies.get(id)) ?? {};
    await this.mustHaveOtherAdmin(user);
    const counted = updateStep(this.companies, { id, admin_changes: changes }, { increment: { admin_changes: 1 } });
    return (await this.store.commit([counted, ...steps])).done ? ended : undefined;
  }

  /** What becomes of the keys of a user who leaves: they end, or an admin has them from then on. */
  private async keySteps(
    { id, company_id }: UserRecord,
    { leaves, keeper }: Pick<PlannedChange, "leaves" | "keeper">,
  ): Promise<{ ended: ApiKeyRecord[]; steps: Step[] }> {
    const keys = leaves ? await this.keys.find({ company_id, created_by: id }) : [];
    if (keys.length === 0) return { ended: [], steps: [] };
    // Who leaves keeps nothing.
    if (keeper === undefined || keeper === id) {
      return { ended: keys, steps: [deleteStep(this.keys, { company_id, created_by: id })] };
    }
    const { email, first_name: firstName, last_name: lastName } = await this.get({ companyId: company_id, id: keeper });
    const set = { created_by: keeper, created_by_name: nameOf({ email, firstName, lastName }) };
    return {
      ended: [],
      steps: keys.map((key) => updateStep(this.keys, { id: key.id, created_by: id }, { set })),
    };
  }

  private async mustHaveOtherAdmin({ id, company_id }: UserRecord): Promise<void> {
    for await (const other of this.users.stream({ company_id })) {
      if (other.id !== id && isAdmin({ role: roleIn(other), active: other.active })) return;
    }
    const message = "This is the last admin of the company. Make another user an admin first.";
    throw new AppError("precondition", message, { code: "last_admin" });
  }
}

interface PlannedChange {
  /** Which change the user. */
  steps: readonly Step[];
  /** Whether the user is an admin afterward, or it does not matter. */
  remains: boolean;
  /** Whether the user is inactive or gone afterward. */
  leaves: boolean;
  keeper?: number | undefined;
}

function isAdmin({ role, active }: { role: Role; active: boolean }): boolean {
  return role === "admin" && active;
}

/** Names what admins can change of a user. */
export function revisionOfUser(user: Omit<UserRecord, "password_hash">): string {
  const { email, first_name, last_name } = user;
  return revisionOf([email, first_name, last_name, roleIn(user), user.active]);
}

/** The user while nothing of the revision has changed. */
function asItIs({ id, company_id, email, first_name, last_name, role, active }: UserRecord): Filter<UserRecord> {
  return { id, company_id, email, first_name, last_name, role, active };
}

/** What the audit log shows of a user. */
export function shownOf(user: UserRecord): Record<string, unknown> {
  const { email, first_name, last_name } = user;
  return { email, first_name, last_name, role: roleIn(user), active: user.active };
}

function changeOf(
  user: UserRecord,
  { email, firstName, lastName, role, active }: UserChange,
): Change<UserRecord> & { set: Partial<UserRecord> } {
  const ends = active === false && user.active;
  return {
    set: {
      ...(email === undefined ? {} : { email: storedEmail(email), email_key: emailKey(email) }),
      ...(firstName === undefined ? {} : { first_name: storedName("first_name", firstName) }),
      ...(lastName === undefined ? {} : { last_name: storedName("last_name", lastName) }),
      ...(role === undefined ? {} : { role }),
      ...(active === undefined ? {} : { active }),
      ...(ends ? { kept_session: null } : {}),
    },
    ...(ends ? { increment: { token_version: 1 } } : {}),
  };
}
