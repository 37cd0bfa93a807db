import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import {
  answersOf,
  AppError,
  type Collection,
  type CollectionDeclaration,
  type IdPage,
  type IdPageRequest,
  insertStep,
  KeptAnswers,
  keyExpired,
  type Logger,
  makeApiKey,
  ofCompany,
  prefixOfApiKey,
  type Principal,
  roleOfKey,
  SharedKey,
  type Store,
  type StoredKey,
  readIdPage,
  unauthenticated,
} from "@hourglass/runtime";
import { productsOf, roleIn, storedName, type Accounts } from "./accounts.js";
import type { DerivedSecrets, SecretOrigin } from "./derived-secrets.js";

/** An API key of a company. The key itself is not stored. */
export interface ApiKeyRecord {
  id: number;
  company_id: number;
  name: string;
  /** Its first characters, which are public, and by which it is found. */
  prefix: string;
  /** HMAC-SHA256 of the key with a secret of this deployment, in base64url. */
  digest: string;
  scopes: string[];
  read_only: boolean;
  /** ISO 8601. */
  created_at: string;
  /** Milliseconds since 1970; null: never. */
  expires_at: number | null;
  /** Milliseconds since 1970, to within LAST_USED_EVERY_MS; null: never used. */
  last_used_at: number | null;
  /** Id of the user who made or kept it, whose role bounds it; null if a command of the operator made it. */
  created_by: number | null;
  /** What that user was called then; empty if a command made it. */
  created_by_name: string;
}

export const API_KEYS: CollectionDeclaration<ApiKeyRecord> = {
  name: "api_keys",
  indexes: [{ fields: ["prefix"], unique: true }, { fields: ["company_id", "id"] }],
  belongs: [ofCompany("company_id")],
};

export const API_KEY_SECRETS: CollectionDeclaration<StoredKey> = {
  name: "api_key_secrets",
  belongs: { because: "it is the secret with which the API keys of all companies are hashed" },
};

export const API_KEY_ANSWERS = answersOf("api_key_answers");

/** What the creation of a key has answered, without the key itself. */
interface KeyAnswer {
  record: ApiKeyRecord;
  origin: SecretOrigin;
}

const COUNTER = "api_keys";

export interface NewApiKey {
  companyId: number;
  name: string;
  scopes: readonly string[];
  readOnly: boolean;
  /** Milliseconds since 1970; null: never. */
  expiresAt: number | null;
  /** Null if a command makes it. */
  createdBy: { id: number; name: string } | null;
  /** Empty: none. */
  idempotencyKey?: string;
}

interface ApiKeysOptions {
  store: Store;
  accounts: Accounts;
  secrets: DerivedSecrets;
  log: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The time of the last use is written no more often than this, so that a use costs no write. */
const LAST_USED_EVERY_MS = 5 * 60_000;

/** The API keys of all companies. */
export class ApiKeys {
  private readonly secret: SharedKey;

  private constructor(
    private readonly options: ApiKeysOptions,
    private readonly keys: Collection<ApiKeyRecord>,
    secrets: Collection<StoredKey>,
    private readonly answers: KeptAnswers<KeyAnswer>,
  ) {
    this.secret = new SharedKey(secrets, "API keys");
  }

  static async open(options: ApiKeysOptions): Promise<ApiKeys> {
    const { store, now } = options;
    const answers = await KeptAnswers.open<KeyAnswer>({ store, kind: API_KEY_ANSWERS, now });
    return new ApiKeys(options, await store.collection(API_KEYS), await store.collection(API_KEY_SECRETS), answers);
  }

  /**
   * Makes a key and returns it with its record; nothing else ever contains it. The same request of the same user with the same
   * idempotency key gets the same one, also if it has ended. AppError `invalid` if it would have ended, and for a key of
   * another request.
   */
  async create(wanted: NewApiKey): Promise<{ record: ApiKeyRecord; secret: string; replayed: boolean }> {
    const { secrets } = this.options;
    const { idempotencyKey = "" } = wanted;
    if (idempotencyKey === "") {
      const { secret, prefix } = makeApiKey(randomInt);
      return { record: await this.insert(await this.draft(wanted, { secret, prefix })), secret, replayed: false };
    }
    const { companyId, name, scopes, readOnly, expiresAt, createdBy } = wanted;
    // Whoever else sends the key learns no secret of this user.
    const key = `${createdBy?.id ?? 0}:${idempotencyKey}`;
    const secretOf = async (origin: SecretOrigin) =>
      makeApiKey(await secrets.pickFor(origin, `the API key of ${companyId}:${key}`));
    const request = { companyId, key, request: [name, [...scopes], readOnly, expiresAt] };
    const { answer, replayed } = await this.answers.once(request, async () => {
      const origin = secrets.newOrigin();
      const draft = await this.draft(wanted, await secretOf(origin));
      const record = { ...draft, id: await this.options.store.nextId(COUNTER) };
      return { answer: { record, origin }, steps: [insertStep(this.keys, record)] };
    });
    return { record: answer.record, secret: (await secretOf(answer.origin)).secret, replayed };
  }

  /** Erases what is kept to repeat answers, once it is no longer needed. */
  forgetAnswers(): Promise<void> {
    return this.answers.eraseExpired();
  }

  private async draft(
    wanted: NewApiKey,
    { secret, prefix }: { secret: string; prefix: string },
  ): Promise<Omit<ApiKeyRecord, "id">> {
    const { now } = this.options;
    const name = storedName("name", wanted.name);
    if (name === "") throw AppError.invalid([{ field: "name", message: "Give a name that is more than white space." }]);
    if (wanted.expiresAt !== null && wanted.expiresAt <= now()) {
      throw AppError.invalid([{ field: "expires_at", message: "Give a moment in the future, or none." }]);
    }
    return {
      company_id: wanted.companyId,
      name,
      prefix,
      digest: (await this.digestOf(secret)).toString("base64url"),
      scopes: [...wanted.scopes],
      read_only: wanted.readOnly,
      created_at: new Date(now()).toISOString(),
      expires_at: wanted.expiresAt,
      last_used_at: null,
      created_by: wanted.createdBy?.id ?? null,
      created_by_name: wanted.createdBy?.name ?? "",
    };
  }

  private async insert(draft: Omit<ApiKeyRecord, "id">): Promise<ApiKeyRecord> {
    return { ...draft, id: await this.options.store.insertNext(this.keys, COUNTER, draft) };
  }

  /** A page of the keys of a company, newest first. */
  list(companyId: number, page: IdPageRequest): Promise<IdPage<ApiKeyRecord>> {
    return readIdPage(this.keys, { company_id: companyId }, page);
  }

  /** The keys of all companies, by id. */
  listAll(): Promise<ApiKeyRecord[]> {
    return this.keys.find({});
  }

  /** A key, of that company if one is given. AppError `not-found` if there is none. */
  async get(id: number, companyId?: number): Promise<ApiKeyRecord> {
    const record = await this.keys.get(id);
    if (record === undefined || (companyId !== undefined && record.company_id !== companyId)) throw noSuchKey();
    return record;
  }

  /** Deletes a key, which ends it. AppError `not-found` if it is gone. */
  async delete({ id }: ApiKeyRecord): Promise<void> {
    if ((await this.keys.delete({ id })) === 0) throw noSuchKey();
  }

  /** Whom a key stands for. Fails with AppError `unauthenticated`. */
  async authenticate(token: string): Promise<Principal> {
    const { accounts, now } = this.options;
    const record = await this.find(token);
    if (record === undefined) throw unauthenticated();
    if (record.expires_at !== null && record.expires_at <= now()) throw keyExpired();
    const { company_id, created_by, name, scopes, expires_at } = record;
    const [company, user] = await Promise.all([
      accounts.activeCompany(company_id),
      created_by === null ? undefined : accounts.user(created_by),
    ]);
    // A key that its maker made while they were being deleted has nobody either.
    const isOrphan = created_by !== null && user?.active !== true;
    if (company === undefined || isOrphan) throw unauthenticated();
    this.noteUse(record);
    const key = { id: record.id, name, scopes, readOnly: record.read_only };
    return {
      userId: user?.id,
      companyId: company.id,
      companyName: company.name,
      email: user?.email ?? "",
      firstName: user?.first_name ?? "",
      lastName: user?.last_name ?? "",
      products: productsOf(company),
      role: roleOfKey(key, user === undefined ? "member" : roleIn(user)),
      ...(expires_at === null ? {} : { expiresAt: Math.floor(expires_at / 1000) }),
      key,
    };
  }

  private async find(token: string): Promise<ApiKeyRecord | undefined> {
    const prefix = prefixOfApiKey(token);
    if (prefix === undefined) return undefined;
    const [record] = await this.keys.find({ prefix }, { limit: 1 });
    if (record === undefined) return undefined;
    const isSame = timingSafeEqual(await this.digestOf(token), Buffer.from(record.digest, "base64url"));
    return isSame ? record : undefined;
  }

  private async digestOf(secret: string): Promise<Buffer> {
    const key = Buffer.from(await this.secret.read(), "base64url");
    return createHmac("sha256", key).update(`api-key ${secret}`).digest();
  }

  private noteUse({ id, last_used_at }: ApiKeyRecord): void {
    const { log, now } = this.options;
    const usedAt = now();
    if (last_used_at !== null && Math.abs(usedAt - last_used_at) < LAST_USED_EVERY_MS) return;
    // Nobody waits for it, and of several processes one writes.
    this.keys.update({ id, last_used_at }, { set: { last_used_at: usedAt } }).catch((error: unknown) => {
      log.warn({ err: error, keyId: id }, "the last use of an API key could not be noted");
    });
  }
}

function noSuchKey(): AppError {
  return new AppError("not-found", "There is no such API key, or it belongs to another company.");
}

/** What the audit log shows of a key. */
export function shownOfKey(key: Pick<ApiKeyRecord, "name" | "scopes" | "read_only" | "expires_at">) {
  const { name, scopes, read_only, expires_at } = key;
  return { name, scopes, read_only, expires_at: expires_at === null ? null : new Date(expires_at).toISOString() };
}
