import { AppError } from "../errors/app-error.js";
import { type CollectionDeclaration, ofCompany } from "../store/declaration.js";
import { type IdPage, type IdPageRequest, readIdPage } from "../store/paging.js";
import type { Collection, Filter, Store } from "../store/store.js";
import type { Author } from "./access.js";

/** Something that somebody did in a company. Holds no contents. */
export interface AuditRecord {
  id: number;
  company_id: number;
  /** Milliseconds since 1970. */
  at: number;
  /** Such as `key.create`. */
  action: string;
  /** Null if a command of the operator did it. */
  user_id: number | null;
  /** Of that user, as it was then. */
  email: string;
  key_id: number | null;
  /** Of the kind that the action names; null if it was about none, or about several. */
  record_id: number | null;
  /** What that record was called then; empty if it has no name. */
  record_name: string;
  /** Empty for a command of the operator. */
  request_id: string;
  client_address: string;
  changes: AuditChange[];
  /** Whether it is known to be done: a process that ends in between leaves false. */
  done: boolean;
}

/** A field that was changed: the values as JSON, null if there was or is none. Never holds a secret. */
export interface AuditChange {
  field: string;
  from: string | null;
  to: string | null;
}

export const AUDIT_EVENTS: CollectionDeclaration<AuditRecord> = {
  name: "audit_events",
  indexes: [{ fields: ["company_id", "id"] }, { fields: ["at"] }],
  belongs: [ofCompany("company_id")],
};

const COUNTER = "audit_events";

/** What is done, and by whom. */
export interface Act {
  companyId: number;
  action: string;
  by: Pick<Author, "userId" | "keyId">;
  /** E-mail of the user; absent: none. */
  email?: string;
  /** Null if it is not known before it is done. */
  recordId: number | null;
  /** Absent: as of a command of the operator, which has none. */
  requestId?: string;
  clientAddress?: string;
  about?: ActDetails;
}

/** What the one who does something knows of it. */
export interface ActDetails {
  /** Id of the record, where the request does not have it as `id`. */
  readonly recordId?: number;
  /** What the record is called. */
  readonly recordName?: string;
  readonly changes?: readonly AuditChange[];
}

/** The author of what a command of the operator does. */
export const OPERATOR: Author = { userId: null, keyId: null, name: "" };

/** An act that is recorded before it is done, so that no crash loses it. */
export interface BegunAct {
  /** Adds what is known just before it is done. */
  describe(details: ActDetails): Promise<void>;
  /** Says that it was done, perhaps to a record whose id is known only now. */
  done(recordId?: number): Promise<void>;
  /** Forgets it: nothing was done. */
  drop(): Promise<void>;
}

/** The audit log of all companies, which every service writes and Auth reads. */
export class AuditTrail {
  private opened: Promise<Collection<AuditRecord>> | undefined;

  constructor(
    private readonly store: Pick<Store, "collection" | "insertNext">,
    private readonly now: () => number = Date.now,
  ) {}

  /** Records what is about to be done. */
  async begin(act: Act): Promise<BegunAct> {
    const records = await this.records();
    const id = await this.insert(records, act, false);
    return {
      describe: async (details) => {
        await records.update({ id }, { set: fieldsOf(details) });
      },
      done: async (recordId) => {
        const set = { done: true, ...(recordId === undefined ? {} : { record_id: recordId }) };
        await records.update({ id }, { set });
      },
      drop: async () => {
        await records.delete({ id });
      },
    };
  }

  /** Records what was done. */
  async record(act: Act): Promise<void> {
    await this.insert(await this.records(), act, true);
  }

  /** A page of what was done in a company, newest first. */
  async list(companyId: number, wanted: WantedActs, page: IdPageRequest): Promise<IdPage<AuditRecord>> {
    const { actions = [], userId, from, to } = wanted;
    const filter: Filter<AuditRecord> = {
      company_id: companyId,
      ...(actions.length > 0 && { action: { in: actions } }),
      ...(userId !== undefined && { user_id: userId }),
      ...((from !== undefined || to !== undefined) && {
        at: { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lt: to }) },
      }),
    };
    return readIdPage(await this.records(), filter, page);
  }

  /** Erases what was done before that time, in milliseconds since 1970. Returns how many records that were. */
  async eraseBefore(at: number): Promise<number> {
    return (await this.records()).delete({ at: { lt: at } });
  }

  /**
   * Takes what names a user out of what they did and of what was done to them, among it the values of these fields. The
   * entries stay, with the number of the user. May be repeated.
   */
  async forgetUser(companyId: number, userId: number, fields: readonly string[]): Promise<void> {
    const records = await this.records();
    await records.updateMany({ company_id: companyId, user_id: userId }, { set: { email: "" } });
    // `/` is the character after `.`.
    const about = { company_id: companyId, record_id: userId, action: { gte: "user.", lt: "user/" } };
    for await (const { id, changes } of records.stream(about)) {
      const left = changes.filter(({ field }) => !fields.includes(field));
      await records.update({ id }, { set: { record_name: "", changes: left } });
    }
  }

  private insert(
    records: Collection<AuditRecord>,
    { companyId, action, by, email = "", recordId, requestId = "", clientAddress = "", about = {} }: Act,
    done: boolean,
  ): Promise<number> {
    const { userId: user_id, keyId: key_id } = by;
    const event = {
      ...{
        company_id: companyId,
        at: this.now(),
        action,
        user_id,
        email,
        key_id,
        record_id: recordId,
        record_name: "",
      },
      ...{ request_id: requestId, client_address: clientAddress, changes: [], done },
      ...fieldsOf(about),
    };
    return this.store.insertNext(records, COUNTER, event);
  }

  private records(): Promise<Collection<AuditRecord>> {
    this.opened ??= this.store.collection(AUDIT_EVENTS).catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }
}

/** Which acts a list has; absent or empty: all. */
interface WantedActs {
  readonly actions?: readonly string[];
  readonly userId?: number | undefined;
  /** Milliseconds since 1970: from then on, and before. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

function fieldsOf({ recordId, recordName, changes }: ActDetails): Partial<AuditRecord> {
  return {
    ...(recordId !== undefined && { record_id: recordId }),
    ...(recordName !== undefined && { record_name: recordName }),
    ...(changes !== undefined && { changes: [...changes] }),
  };
}

/** Longer values, such as notes, are cut: the log says that they changed, and the record has them. */
const VALUE_CHARACTERS_MAX = 500;

/** What differs between two states of a record, by the names of its fields. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): AuditChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = fields.map((field) => ({ field, from: jsonOf(before[field]), to: jsonOf(after[field]) }));
  return changes
    .filter(({ from, to }) => from !== to)
    .map(({ field, from, to }) => ({ field, from: shortened(from), to: shortened(to) }));
}

function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/** A value that is too long becomes its beginning, as a text. */
function shortened(json: string | null): string | null {
  if (json === null || json.length <= VALUE_CHARACTERS_MAX) return json;
  const value: unknown = JSON.parse(json);
  const text = typeof value === "string" ? value : json;
  return JSON.stringify(`${[...text].slice(0, VALUE_CHARACTERS_MAX).join("")}…`);
}

/** Failures after which a change may have been done nevertheless. */
const UNCERTAIN = new Set(["unavailable", "deadline", "cancelled", "internal"]);

/**
 * Does what is recorded as begun; afterward the record says how it ended. What an earlier request had done already, as the
 * result says, is not recorded again. Fails like `work`.
 */
export async function audited<T extends object>(
  begun: BegunAct,
  work: () => Promise<T>,
  recordIdOf: (result: T) => number | undefined,
): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // If the record cannot be dropped, it says that the outcome is unknown, which is true of the log.
    if (!UNCERTAIN.has(AppError.from(error).kind)) await begun.drop().catch(() => undefined);
    throw error;
  }
  const isRepeated = "replayed" in result && result.replayed === true;
  // What was done is not answered as a failure because its record still says that it may have been done.
  await (isRepeated ? begun.drop() : begun.done(recordIdOf(result))).catch(() => undefined);
  return result;
}
