import { answersOf, type Collection, insertStep, KeptAnswers, type Store } from "@hourglass/runtime";
import { emailTaken, USERS, type Accounts, type NewUser, type UserRecord } from "./accounts.js";
import type { DerivedSecrets, SecretOrigin } from "./derived-secrets.js";
import { generatePassword } from "./passwords.js";

export const USER_ANSWERS = answersOf("user_answers");

/** What the creation of a user has answered, without the password. */
interface UserAnswer {
  user: Omit<UserRecord, "password_hash">;
  origin: SecretOrigin;
}

/** A user that an admin creates. */
export interface WantedUser extends Omit<NewUser, "company" | "password"> {
  companyId: number;
  /** Id of the admin. */
  createdBy: number;
  /** Empty: none. */
  idempotencyKey: string;
}

interface UserCreationOptions {
  store: Store;
  accounts: Accounts;
  secrets: DerivedSecrets;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Creates users with a generated password, which is shown once and not stored. */
export class UserCreation {
  private constructor(
    private readonly options: UserCreationOptions,
    private readonly users: Collection<UserRecord>,
    private readonly answers: KeptAnswers<UserAnswer>,
  ) {}

  static async open(options: UserCreationOptions): Promise<UserCreation> {
    const { store, now } = options;
    const answers = await KeptAnswers.open<UserAnswer>({ store, kind: USER_ANSWERS, now });
    return new UserCreation(options, await store.collection(USERS), answers);
  }

  /**
   * Creates a user, and returns them with their password. The same request of the same admin with the same idempotency key
   * gets both again, as they were. AppError `conflict` if one of the company has the e-mail, and `invalid` for a key of
   * another request.
   */
  async create(wanted: WantedUser): Promise<UserAnswer & { password: string; replayed: boolean }> {
    const { accounts, secrets } = this.options;
    const { companyId, createdBy, idempotencyKey, email, firstName, lastName, role } = wanted;
    // Whoever else sends the key learns no secret of this admin.
    const key = idempotencyKey === "" ? "" : `${createdBy}:${idempotencyKey}`;
    const passwordOf = async (origin: SecretOrigin) =>
      generatePassword(await secrets.pickFor(origin, `the password of ${companyId}:${key}`));
    const request = { companyId, key, request: [email, firstName, lastName, role] };
    const made = this.answers.once(request, async () => {
      const origin = secrets.newOrigin();
      const given = { email, firstName, lastName, role, password: await passwordOf(origin) };
      const record = await accounts.newUserOf(companyId, given);
      const { password_hash: _, ...user } = record;
      return { answer: { user, origin }, steps: [insertStep(this.users, record)] };
    });
    const { answer, replayed } = await made.catch((error: unknown) => {
      throw emailTaken(error, email);
    });
    return { ...answer, password: await passwordOf(answer.origin), replayed };
  }

  /** Erases what is kept to repeat answers, once it is no longer needed. */
  forgetAnswers(): Promise<void> {
    return this.answers.eraseExpired();
  }
}
