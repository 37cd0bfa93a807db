import { createHash } from "node:crypto";
import {
  deleteStep,
  insertNewStep,
  updateStep,
  type Collection,
  type CollectionDeclaration,
  type Step,
  type Store,
} from "@hourglass/runtime";
import { COMPANIES, noSuchCompany, storedName, type CompanyRecord } from "./accounts.js";

/** The erasure of a company: how far it is, and once it is over, the record that it took place. Holds no content. */
export interface ErasureRecord {
  /** Id of the company. */
  id: number;
  /** ISO 8601. */
  begunAt: string;
  /** ISO 8601; null until everything is erased. */
  endedAt: string | null;
  /** Digest of the company's name, by which an interrupted erasure is found; null once it is over. */
  nameDigest: string | null;
  /** Erased so far: documents by collection. */
  documents: Record<string, number>;
  /** Erased so far: files, such as uploads and those of exports. */
  files: number;
  /** Names of what the company shared with others, which may tell what it looked for; empty once it is over. */
  shared: string[];
}

export const ERASURES: CollectionDeclaration<ErasureRecord> = {
  name: "company_erasures",
  indexes: [{ fields: ["nameDigest"] }],
  belongs: { because: "they prove that companies were erased, and hold nothing of them but their ids and numbers" },
};

/** A company to be erased, or whose erasure has begun. */
export interface ErasedCompany {
  id: number;
  /** ISO 8601; undefined: the erasure has not begun. */
  begunAt: string | undefined;
}

/** What was erased, in addition to what was before. */
export interface Erased {
  collection: string;
  documents: number;
  files: number;
}

/** The erasure of whole companies, on a store that servers may be using. Only one command at a time erases a company. */
export class CompanyErasures {
  private constructor(
    private readonly store: Store,
    private readonly companies: Collection<CompanyRecord>,
    private readonly erasures: Collection<ErasureRecord>,
    private readonly now: () => number,
  ) {}

  static async open(store: Store, now: () => number = Date.now): Promise<CompanyErasures> {
    return new CompanyErasures(store, await store.collection(COMPANIES), await store.collection(ERASURES), now);
  }

  /** The company with that name; AppError `not-found` if there is none, and no erasure of it was interrupted. */
  async find(name: string): Promise<ErasedCompany> {
    const stored = storedName("name", name);
    // First, since its company may be gone already, and a new one have the name.
    const [interrupted] = await this.erasures.find({ nameDigest: digestOf(stored) }, { limit: 1 });
    if (interrupted !== undefined) return { id: interrupted.id, begunAt: interrupted.begunAt };
    const [company] = await this.companies.find({ name: stored }, { limit: 1 });
    if (company === undefined) throw noSuchCompany(stored);
    return { id: company.id, begunAt: undefined };
  }

  /** Locks the company permanently: no user can sign in, no token works, and nothing new is accepted. */
  async begin(companyId: number): Promise<void> {
    const company = await this.companies.get(companyId);
    // Otherwise an earlier run has erased its record.
    if (company === undefined) return;
    await this.store.commit([
      insertNewStep(this.erasures, [newErasure(company, this.now())]),
      updateStep(this.companies, { id: companyId }, { set: { erasing: true } }),
    ]);
  }

  /** Adds names of what the company shares; returns all. */
  async addShared(companyId: number, names: readonly string[]): Promise<string[]> {
    const shared = [...new Set([...(await this.record(companyId)).shared, ...names])];
    await this.erasures.update({ id: companyId }, { set: { shared } });
    return shared;
  }

  /** A step that counts what the other steps of its commit erase. */
  async countStep(companyId: number, { collection, documents, files }: Erased): Promise<Step> {
    const before = await this.record(companyId);
    const counts = { ...before.documents, [collection]: (before.documents[collection] ?? 0) + documents };
    return updateStep(this.erasures, { id: companyId }, { set: { documents: counts, files: before.files + files } });
  }

  /** Erases the record of the company, and the names of what it shared. May be repeated. */
  async removeCompany(companyId: number): Promise<void> {
    await this.store.commit([
      deleteStep(this.companies, { id: companyId }),
      updateStep(this.erasures, { id: companyId }, { set: { shared: [] } }),
    ]);
  }

  /** Ends the erasure; returns its record. */
  async end(companyId: number): Promise<ErasureRecord> {
    const endedAt = new Date(this.now()).toISOString();
    await this.erasures.update({ id: companyId }, { set: { endedAt, nameDigest: null } });
    return this.record(companyId);
  }

  /** All that have begun, in order of the companies' ids. */
  list(): Promise<ErasureRecord[]> {
    return this.erasures.find({});
  }

  private async record(companyId: number): Promise<ErasureRecord> {
    const erasure = await this.erasures.get(companyId);
    if (erasure === undefined) throw new Error("the erasure has not begun");
    return erasure;
  }
}

function newErasure({ id, name }: CompanyRecord, now: number): ErasureRecord {
  const begunAt = new Date(now).toISOString();
  return { id, begunAt, endedAt: null, nameDigest: digestOf(name), documents: {}, files: 0, shared: [] };
}

function digestOf(name: string): string {
  return createHash("sha256").update(name).digest("base64url");
}
