import { setTimeout as sleep } from "node:timers/promises";
import type { DeclaredCollection, Document, Filter } from "@hourglass/runtime";
import { CompanyDocuments } from "../holdings/company-documents.js";
import type { EraseDeps } from "./erase-deps.js";

/** A lease lasts no longer; a clock that is far ahead must not hold up the erasure. */
const WAIT_MS_MAX = 10 * 60_000;
const CLOCKS_DIFFER_MS = 1000;

/**
 * Ends all work on what the company has: no worker begins any, and those under way can store nothing. Resolves once they
 * have noticed, so that none of them leaves anything behind.
 */
export async function haltWork(deps: Pick<EraseDeps, "store" | "data" | "progress">, companyId: number): Promise<void> {
  let until = 0;
  for (const { collections } of deps.data) {
    const documents = new CompanyDocuments(deps.store, collections, companyId);
    for (const declaration of collections) until = Math.max(until, await haltIn(documents, declaration));
  }
  const left = Math.min(until + CLOCKS_DIFFER_MS - Date.now(), WAIT_MS_MAX);
  if (until === 0 || left <= 0) return;
  deps.progress.begin(`Waiting ${Math.ceil(left / 1000)} s until workers have noticed that their work has ended`);
  await sleep(left);
}

/** Returns until when somebody may not have noticed; 0: nobody is at work. */
async function haltIn(documents: CompanyDocuments, declaration: DeclaredCollection): Promise<number> {
  const { halt } = declaration;
  if (halt === undefined) return 0;
  const collection = await documents.open(declaration);
  for await (const { id } of documents.of(declaration, halt.where)) {
    await collection.update({ ...halt.where, id }, halt.change);
  }
  if (halt.until === undefined) return 0;
  // Those too that an earlier command has halted.
  let until = 0;
  for await (const document of documents.of(declaration, laterThan(halt.until, Date.now()))) {
    until = Math.max(until, Number((document as unknown as Record<string, unknown>)[halt.until]));
  }
  return until;
}

function laterThan(field: string, time: number): Filter<Document> {
  return { [field]: { gt: time } };
}
