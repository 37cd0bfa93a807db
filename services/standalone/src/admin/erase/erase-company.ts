import { setTimeout as sleep } from "node:timers/promises";
import type { ErasureRecord } from "@hourglass/auth";
import { type DeclaredCollection, deleteStep, type Document, failpoint, PRINCIPAL_FRESH_MS } from "@hourglass/runtime";
import { isOfNobody } from "../../all-data.js";
import { CompanyDocuments } from "../holdings/company-documents.js";
import type { EraseDeps } from "./erase-deps.js";
import { haltWork } from "./halt-work.js";

/** Documents erased with one commit. */
const AT_ONCE = 200;
/** After each commit it rests for as long as that took, so that servers have at least half of the store. */
const REST_MS_MAX = 250;
/** Servers ask Auth about a token again within this time; requests that were under way are answered by then. */
const LOCKED_MS = PRINCIPAL_FRESH_MS + 1000;
/** So many times nothing must be left: what was under way when the first search began is found by the second. */
const CLEAN_SEARCHES = 2;

/**
 * Erases all that a company has. It is locked first, so that nothing is added. Killed at any time, a later call
 * completes the erasure: what it still needs to find anything, such as the records that name files, goes last.
 */
export async function eraseCompany(deps: EraseDeps, companyId: number): Promise<ErasureRecord> {
  const { erasures, contents, progress } = deps;
  progress.begin("Locking the company");
  await erasures.begin(companyId);
  failpoint("erase.after_lock");
  await sleep(LOCKED_MS);
  const shared = await noteShared(deps, companyId);
  for (let clean = 0; clean < CLEAN_SEARCHES;) {
    await haltWork(deps, companyId);
    failpoint("erase.after_halt");
    const erased = await eraseDocuments(deps, companyId);
    clean = erased === 0 ? clean + 1 : 0;
  }
  await forgetShared(deps, companyId, shared);
  await deps.blobs.eraseDeleted();
  failpoint("erase.after_shared");
  await erasures.removeCompany(companyId);
  failpoint("erase.after_company");
  progress.begin("Overwriting what the storage still holds of it");
  await contents.scrub();
  failpoint("erase.after_scrub");
  const record = await erasures.end(companyId);
  await contents.scrub();
  return record;
}

/** The names are stored before the documents that tell them are erased. */
async function noteShared({ store, data, erasures }: EraseDeps, companyId: number): Promise<string[]> {
  const names: string[] = [];
  for (const { shared } of data) if (shared !== undefined) names.push(...(await shared.namesOf(store, companyId)));
  return erasures.addShared(companyId, names);
}

async function forgetShared(
  { store, data, erasures, progress }: EraseDeps,
  companyId: number,
  names: readonly string[],
): Promise<void> {
  progress.begin("Forgetting what only this company shared");
  for (const { shared } of data) {
    for (const [collection, documents] of Object.entries((await shared?.forget(store, names)) ?? {})) {
      await store.commit([await erasures.countStep(companyId, { collection, documents, files: 0 })]);
      progress.add(documents, "document");
    }
  }
}

/** Erases what is found in one search through all collections; returns how many documents that was. */
async function eraseDocuments(deps: EraseDeps, companyId: number): Promise<number> {
  let erased = 0;
  for (const { collections } of deps.data) {
    const documents = new CompanyDocuments(deps.store, collections, companyId);
    for (const declaration of collections.filter((each) => !isOfNobody(each))) {
      erased += await eraseIn({ ...deps, documents, companyId }, declaration);
    }
  }
  return erased;
}

type Erasing = EraseDeps & { documents: CompanyDocuments; companyId: number };

async function eraseIn({ documents, ...deps }: Erasing, declaration: DeclaredCollection): Promise<number> {
  let erased = 0;
  let batch: Document[] = [];
  const eraseBatch = async (): Promise<void> => {
    if (batch.length === 0) return;
    if (erased === 0) deps.progress.begin(`Erasing ${declaration.name}`);
    await eraseThese({ ...deps, documents }, declaration, batch);
    erased += batch.length;
    deps.progress.add(batch.length, "document");
    batch = [];
  };
  for await (const document of documents.of(declaration)) {
    batch.push(document);
    if (batch.length === AT_ONCE) await eraseBatch();
  }
  await eraseBatch();
  if (erased > 0) deps.progress.end("document");
  return erased;
}

/** Files go before the documents that name them, and are counted with these. */
async function eraseThese(
  { store, blobs, erasures, documents, companyId }: Erasing,
  declaration: DeclaredCollection,
  batch: readonly Document[],
): Promise<void> {
  const begun = performance.now();
  const ids = [...new Set(batch.map(({ id }) => id))];
  let files = 0;
  for (const key of batch.flatMap((document) => declaration.blobsOf?.(document) ?? [])) {
    if ((await blobs.size(key)) !== undefined) files += 1;
    await blobs.erase(key);
    failpoint("erase.after_file");
  }
  const counted = { collection: declaration.name, documents: ids.length, files };
  const collection = await documents.open(declaration);
  await store.commit([deleteStep(collection, { id: { in: ids } }), await erasures.countStep(companyId, counted)]);
  failpoint("erase.after_batch");
  await sleep(Math.min(performance.now() - begun, REST_MS_MAX));
}
