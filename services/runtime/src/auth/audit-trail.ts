import { AppError } from "../errors/app-error.js";
import { type CollectionDeclaration, ofCompany } from "../store/declaration.js";
import { type IdPage, type IdPageRequest, readIdPage } from "../store/paging.js";
import type { Collection, Store } from "../store/store.js";
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
  key_id: number | null;
  /** Of the kind that the action names; null if it was about none, or about several. */
  record_id: number | null;
  /** Whether it is known to be done: a process that ends in between leaves false. */
  done: boolean;
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
  by: Author;
  /** Null if it is not known before it is done. */
  recordId: number | null;
}

/** The author of what a command of the operator does. */
export const OPERATOR: Author = { userId: null, keyId: null };

/** An act that is recorded before it is done, so that no crash loses it. */
export interface BegunAct {
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
  async list(companyId: number, page: IdPageRequest): Promise<IdPage<AuditRecord>> {
    return readIdPage(await this.records(), { company_id: companyId }, page);
  }

  /** Erases what was done before that time, in milliseconds since 1970. Returns how many records that were. */
  async eraseBefore(at: number): Promise<number> {
    return (await this.records()).delete({ at: { lt: at } });
  }

  private insert(
    records: Collection<AuditRecord>,
    { companyId, action, by, recordId }: Act,
    done: boolean,
  ): Promise<number> {
    const { userId: user_id, keyId: key_id } = by;
    const event = { company_id: companyId, at: this.now(), action, user_id, key_id, record_id: recordId, done };
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

/** Failures after which a change may have been done nevertheless. */
const UNCERTAIN = new Set(["unavailable", "deadline", "cancelled", "internal"]);

/** Does what is recorded as begun; afterward the record says how it ended. Fails like `work`. */
export async function audited<T>(
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
  // What was done is not answered as a failure because its record still says that it may have been done.
  await begun.done(recordIdOf(result)).catch(() => undefined);
  return result;
}
