import { createHash } from "node:crypto";
import {
  AppError,
  type Collection,
  deleteStep,
  insertNewStep,
  type Step,
  type Store,
  updateStep,
} from "@hourglass/runtime";
import { COMPANIES, type CompanyRecord } from "../accounts/company.js";
import { storedName } from "../accounts/names.js";
import { ERASURES, type ErasureRecord } from "./erasure-record.js";

/** A company to be erased, or whose erasure was begun. */
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

/** The erasure of whole companies. Only one command at a time erases a company. */
export interface CompanyErasures {
  /** The company with that name; AppError `not-found` if there is none, and no erasure of it was interrupted. */
  find(name: string): Promise<ErasedCompany>;
  /** Locks the company for good: from now on nobody signs in, no token works, and nothing new is accepted. */
  begin(companyId: number): Promise<void>;
  /** Adds names of what the company shares; returns all. */
  addShared(companyId: number, names: readonly string[]): Promise<string[]>;
  /** A step that counts what the other steps of its commit erase. */
  countStep(companyId: number, erased: Erased): Promise<Step>;
  /** Erases the record of the company, and the names of what it shared. May be repeated. */
  removeCompany(companyId: number): Promise<void>;
  /** Ends the erasure; returns its record. */
  end(companyId: number): Promise<ErasureRecord>;
  /** All that were begun, in order of the companies' ids. */
  list(): Promise<ErasureRecord[]>;
}

/** Opens the erasures on a store that servers may be using. */
export async function openCompanyErasures(store: Store, now: () => number = Date.now): Promise<CompanyErasures> {
  const companies = await store.collection(COMPANIES);
  const erasures = await store.collection(ERASURES);
  const begun = (companyId: number) => mustExist(erasures, companyId);
  return {
    find: (name) => find({ companies, erasures }, name),
    begin: async (companyId) => {
      const company = await companies.get(companyId);
      // Otherwise an earlier run has erased its record.
      if (company === undefined) return;
      await store.commit([
        insertNewStep(erasures, [newErasure(company, now())]),
        updateStep(companies, { id: companyId }, { set: { erasing: true } }),
      ]);
    },
    addShared: async (companyId, names) => {
      const shared = [...new Set([...(await begun(companyId)).shared, ...names])];
      await erasures.update({ id: companyId }, { set: { shared } });
      return shared;
    },
    countStep: async (companyId, { collection, documents, files }) => {
      const before = await begun(companyId);
      const counts = { ...before.documents, [collection]: (before.documents[collection] ?? 0) + documents };
      return updateStep(erasures, { id: companyId }, { set: { documents: counts, files: before.files + files } });
    },
    removeCompany: async (companyId) => {
      await store.commit([
        deleteStep(companies, { id: companyId }),
        updateStep(erasures, { id: companyId }, { set: { shared: [] } }),
      ]);
    },
    end: async (companyId) => {
      const over = { endedAt: new Date(now()).toISOString(), nameDigest: null };
      await erasures.update({ id: companyId }, { set: over });
      return begun(companyId);
    },
    list: () => erasures.find({}),
  };
}

interface Records {
  companies: Collection<CompanyRecord>;
  erasures: Collection<ErasureRecord>;
}

async function find({ companies, erasures }: Records, name: string): Promise<ErasedCompany> {
  const stored = storedName("name", name);
  // First, since its company may be gone already, and a new one have the name.
  const [interrupted] = await erasures.find({ nameDigest: digestOf(stored) }, { limit: 1 });
  if (interrupted !== undefined) return { id: interrupted.id, begunAt: interrupted.begunAt };
  const [company] = await companies.find({ name: stored }, { limit: 1 });
  if (company !== undefined) return { id: company.id, begunAt: undefined };
  throw new AppError("not-found", `There is no company named "${stored}". The command company list shows them all.`);
}

async function mustExist(erasures: Collection<ErasureRecord>, companyId: number): Promise<ErasureRecord> {
  const erasure = await erasures.get(companyId);
  if (erasure === undefined) throw new Error("the erasure has not begun");
  return erasure;
}

function newErasure({ id, name }: CompanyRecord, now: number): ErasureRecord {
  const begunAt = new Date(now).toISOString();
  return { id, begunAt, endedAt: null, nameDigest: digestOf(name), documents: {}, files: 0, shared: [] };
}

function digestOf(name: string): string {
  return createHash("sha256").update(name).digest("base64url");
}
