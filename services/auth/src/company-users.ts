import {
  AppError,
  deleteStep,
  updateStep,
  type Change,
  type Collection,
  type IdPage,
  type IdPageRequest,
  readIdPage,
  type Role,
  type Step,
  type Store,
} from "@hourglass/runtime";
import {
  COMPANIES,
  emailKey,
  emailTaken,
  isActive,
  roleIn,
  storedName,
  USERS,
  type CompanyRecord,
  type UserRecord,
} from "./accounts.js";

/** What an admin changes of a user; what is undefined stays. */
export interface UserChange {
  email?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  role?: Role | undefined;
  active?: boolean | undefined;
}

/** Who may do what in a company: the users as its admins manage them. */
export class CompanyUsers {
  private constructor(
    private readonly store: Store,
    private readonly companies: Collection<CompanyRecord>,
    private readonly users: Collection<UserRecord>,
  ) {}

  static async open(store: Store): Promise<CompanyUsers> {
    return new CompanyUsers(store, await store.collection(COMPANIES), await store.collection(USERS));
  }

  /** A page of the users of a company, newest first. */
  list(companyId: number, page: IdPageRequest): Promise<IdPage<UserRecord>> {
    return readIdPage(this.users, { company_id: companyId }, page);
  }

  /** E-mails of users by their ids; those who have been deleted are left out. */
  async emailsOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const users = await this.users.find({ id: { in: [...new Set(ids)] } });
    return new Map(users.map(({ id, email }) => [id, email]));
  }

  /**
   * Changes a user; one who becomes inactive loses their sessions. AppError `not-found`; `conflict` if the e-mail is taken;
   * `precondition` if the company would have no admin.
   */
  async change(companyId: number, id: number, wanted: UserChange): Promise<UserRecord> {
    const user = await this.userOf(companyId, id);
    const remains = isAdmin({ role: wanted.role ?? roleIn(user), active: wanted.active ?? isActive(user) });
    const step = updateStep(this.users, { id, company_id: companyId }, changeOf(user, wanted));
    try {
      await this.commit(user, remains, step);
    } catch (error) {
      throw wanted.email === undefined ? error : emailTaken(error, wanted.email);
    }
    return this.userOf(companyId, id);
  }

  /** Deletes a user, which ends their sessions. Fails like `change`. */
  async delete(companyId: number, id: number): Promise<void> {
    const user = await this.userOf(companyId, id);
    await this.commit(user, false, deleteStep(this.users, { id, company_id: companyId }));
  }

  private async userOf(companyId: number, id: number): Promise<UserRecord> {
    const user = await this.users.get(id);
    if (user?.company_id === companyId) return user;
    throw new AppError("not-found", "There is no such user, or they belong to another company.");
  }

  /**
   * Commits a change of a user. One that takes an admin from the company also counts in its record, so that of two admins
   * who remove each other only one can.
   */
  private async commit(user: UserRecord, remainsAdmin: boolean, step: Step): Promise<void> {
    const companyId = user.company_id;
    for (;;) {
      const company = await this.companies.get(companyId);
      if (remainsAdmin || !isAdmin({ role: roleIn(user), active: isActive(user) })) {
        await this.store.commit([step]);
        return;
      }
      await this.mustHaveOtherAdmin(user);
      const changes = company?.admin_changes ?? null;
      const counted = updateStep(
        this.companies,
        { id: companyId, admin_changes: changes },
        { increment: { admin_changes: 1 } },
      );
      if ((await this.store.commit([counted, step])).done) return;
      // Another admin was taken from the company meanwhile, or it is gone.
      await this.userOf(companyId, user.id);
    }
  }

  private async mustHaveOtherAdmin({ id, company_id }: UserRecord): Promise<void> {
    for await (const other of this.users.stream({ company_id })) {
      if (other.id !== id && isAdmin({ role: roleIn(other), active: isActive(other) })) return;
    }
    const message = "This is the last admin of the company. Make another user an admin first.";
    throw new AppError("precondition", message, { code: "last_admin" });
  }
}

function isAdmin({ role, active }: { role: Role; active: boolean }): boolean {
  return role === "admin" && active;
}

function changeOf(user: UserRecord, { email, firstName, lastName, role, active }: UserChange): Change<UserRecord> {
  const ends = active === false && isActive(user);
  return {
    set: {
      ...(email === undefined ? {} : { email: email.normalize("NFC"), email_key: emailKey(email) }),
      ...(firstName === undefined ? {} : { first_name: storedName("first_name", firstName) }),
      ...(lastName === undefined ? {} : { last_name: storedName("last_name", lastName) }),
      ...(role === undefined ? {} : { role }),
      ...(active === undefined ? {} : { active }),
      ...(ends ? { kept_session: null } : {}),
    },
    ...(ends ? { increment: { token_version: 1 } } : {}),
  };
}
