import { setTimeout as sleep } from "node:timers/promises";
import type { ErasureRecord } from "@hourglass/auth";
import {
  AppError,
  armFailpoints,
  counted,
  deleteStep,
  failpoint,
  PRINCIPAL_FRESH_MS,
  type DeclaredCollection,
  type Document,
  type Filter,
  type ServiceData,
  type StoreContents,
} from "@hourglass/runtime";
import { allData, CompanyDocuments, isOfNobody, measureCompany, type Holding } from "../company-data.js";
import { UsageError, type Administration, type ErasureAdministration, type OptionValues } from "./administration.js";
import { printProgress, Progress, type Row } from "./output.js";

/**
 * Erases a company with all it has, or, unless that is confirmed, prints what it has and fails. Fails with AppError
 * `conflict` if collections are stored that this release does not know.
 */
export async function deleteCompany(
  { config, erasures }: Administration,
  { name = "", "with-data": withData, yes }: OptionValues,
): Promise<string[]> {
  if (withData === undefined) {
    throw new UsageError(
      "Give --with-data: a company is deleted with all it has. To keep its data, but lock it out, delete its users.",
    );
  }
  armFailpoints(config.failpoints);
  const storage = await erasures();
  const { id, begunAt } = await storage.companies.find(name);
  const data = allData(config);
  const unknown = await undeclaredIn(storage.contents, data);
  if (unknown.length > 0) {
    throw new AppError(
      "conflict",
      `This release does not know whose data is in ${unknown.join(", ")}. Use the newest release that has used this storage.`,
    );
  }
  if (yes === undefined) throw unconfirmed(await measureCompany({ ...storage, data }, id), begunAt);
  const record = await new Eraser(storage, data, id).run();
  // Again, because its end has removed the digest of the company's name from the record of the erasure.
  return describe(record, await storage.contents.purge());
}

/** Names of the collections in a store of which no service declares whose documents they hold. */
async function undeclaredIn(contents: StoreContents, data: readonly ServiceData[]): Promise<string[]> {
  const known = new Set(data.flatMap(({ collections }) => collections.map(({ name }) => name)));
  return (await contents.names()).filter((name) => !known.has(name));
}

/** Prints what the company has; returns the error that asks for the confirmation. */
function unconfirmed(holdings: readonly Holding[], begunAt: string | undefined): AppError {
  for (const { collection, documents, files } of holdings) {
    const named = files === 0 ? [] : [counted(files, "file")];
    printProgress([collection, counted(documents, "document"), ...named].join("\t"));
  }
  const state = begunAt === undefined ? "Nothing was erased" : `Its erasure began at ${begunAt} and is not complete`;
  return new AppError("conflict", `${state}. Add --yes to erase all of this for good; backups keep what they have.`);
}

/** `remains` says what the files of the storage may still hold. */
function describe({ id, begunAt, endedAt, documents, files }: ErasureRecord, remains: string | undefined): string[] {
  return [
    `Erased company ${id}: ${counted(totalOf(documents), "document")}, ${counted(files, "file")}, from ${begunAt} to ${endedAt ?? ""}`,
    ...Object.entries(documents)
      .filter(([, count]) => count > 0)
      .map(([collection, count]) => `${collection}\t${count}`),
    ...(remains === undefined ? [] : [remains]),
    "Backups made before keep what they have: docs/privacy.md says how long.",
  ];
}

/** The erasures so far, a line each. */
export async function listErasures({ erasures }: Administration): Promise<Row[]> {
  const { companies } = await erasures();
  return (await companies.list()).map(({ id, begunAt, endedAt, documents, files }): Row => [
    ["id", id],
    ["begun_at", begunAt],
    ["ended_at", endedAt ?? null, endedAt ?? "not complete: run company delete again"],
    ["documents", totalOf(documents)],
    ["files", files],
  ]);
}

/** All documents of an erasure, from their numbers by collection. */
function totalOf(documents: Readonly<Record<string, number>>): number {
  return Object.values(documents).reduce((total, count) => total + count, 0);
}

/** Documents erased with one commit. */
const BATCH_MAX = 200;
/** After each commit it rests for as long as that took, so that servers have at least half of the store. */
const REST_MS_MAX = 250;
/** Servers check a token with Auth again within this time; requests in progress are answered by then. */
const LOCKED_MS = PRINCIPAL_FRESH_MS + 1000;
/** So many searches must find nothing: the second finds what was in progress when the first began. */
const CLEAN_SEARCHES = 2;
/** A lease lasts no longer; a clock that is far ahead must not hold up the erasure. */
const HALT_MS_MAX = 10 * 60_000;
const CLOCKS_DIFFER_MS = 1000;

/** Erases all that a company has. */
class Eraser {
  private readonly progress = new Progress(printProgress);

  constructor(
    private readonly storage: ErasureAdministration,
    private readonly data: readonly ServiceData[],
    private readonly companyId: number,
  ) {}

  /**
   * Locks the company first, so that nothing is added. Killed at any time, a later run completes the erasure: what it
   * still needs to find anything, such as the records that name files, goes last.
   */
  async run(): Promise<ErasureRecord> {
    const { blobs, contents, companies } = this.storage;
    this.progress.begin("Locking the company");
    await companies.begin(this.companyId);
    failpoint("erase.after_lock");
    await sleep(LOCKED_MS);
    const shared = await this.recordShared();
    for (let clean = 0; clean < CLEAN_SEARCHES;) {
      await this.haltWork();
      failpoint("erase.after_halt");
      const erased = await this.eraseDocuments();
      clean = erased === 0 ? clean + 1 : 0;
    }
    await this.forgetShared(shared);
    await blobs.eraseDeleted();
    failpoint("erase.after_shared");
    await companies.removeCompany(this.companyId);
    failpoint("erase.after_company");
    this.progress.begin("Removing what the files of the storage still hold of it");
    await contents.purge();
    failpoint("erase.after_purge");
    return companies.end(this.companyId);
  }

  /** The names are stored before the documents that contain them are erased. */
  private async recordShared(): Promise<string[]> {
    const { store, companies } = this.storage;
    const names: string[] = [];
    for (const { shared } of this.data) names.push(...((await shared?.namesOf(store, this.companyId)) ?? []));
    return companies.addShared(this.companyId, names);
  }

  private async forgetShared(names: readonly string[]): Promise<void> {
    const { store, companies } = this.storage;
    this.progress.begin("Forgetting what only this company shared");
    for (const { shared } of this.data) {
      for (const [collection, documents] of Object.entries((await shared?.forget(store, names)) ?? {})) {
        await store.commit([await companies.countStep(this.companyId, { collection, documents, files: 0 })]);
        this.progress.add(documents, "document");
      }
    }
  }

  /**
   * Ends all work on what the company has: no worker begins any, and running workers can store nothing. Resolves once
   * they have noticed, so that none of them leaves anything behind.
   */
  private async haltWork(): Promise<void> {
    let until = 0;
    for (const { collections } of this.data) {
      const documents = this.documentsOf(collections);
      for (const declaration of collections) until = Math.max(until, await haltIn(documents, declaration));
    }
    const left = Math.min(until + CLOCKS_DIFFER_MS - Date.now(), HALT_MS_MAX);
    if (until === 0 || left <= 0) return;
    this.progress.begin(`Waiting ${Math.ceil(left / 1000)} s until workers have noticed that their work has ended`);
    await sleep(left);
  }

  /** Erases what one search through all collections finds; returns how many documents that was. */
  private async eraseDocuments(): Promise<number> {
    let erased = 0;
    for (const { collections } of this.data) {
      const documents = this.documentsOf(collections);
      for (const declaration of collections.filter((each) => !isOfNobody(each))) {
        erased += await this.eraseIn(documents, declaration);
      }
    }
    return erased;
  }

  private async eraseIn(documents: CompanyDocuments, declaration: DeclaredCollection): Promise<number> {
    let erased = 0;
    let batch: Document[] = [];
    const eraseBatch = async (): Promise<void> => {
      if (batch.length === 0) return;
      if (erased === 0) this.progress.begin(`Erasing ${declaration.name}`);
      await this.eraseBatch(documents, declaration, batch);
      erased += batch.length;
      this.progress.add(batch.length, "document");
      batch = [];
    };
    for await (const document of documents.of(declaration)) {
      batch.push(document);
      if (batch.length === BATCH_MAX) await eraseBatch();
    }
    await eraseBatch();
    if (erased > 0) this.progress.end("document");
    return erased;
  }

  /** Files go before the documents that name them, and are counted with these. */
  private async eraseBatch(
    documents: CompanyDocuments,
    declaration: DeclaredCollection,
    batch: readonly Document[],
  ): Promise<void> {
    const { store, blobs, companies } = this.storage;
    const startedAt = performance.now();
    const ids = [...new Set(batch.map(({ id }) => id))];
    let files = 0;
    for (const key of batch.flatMap((document) => declaration.blobsOf?.(document) ?? [])) {
      if ((await blobs.size(key)) !== undefined) files += 1;
      await blobs.erase(key);
      failpoint("erase.after_file");
    }
    const erased = { collection: declaration.name, documents: ids.length, files };
    const collection = await documents.open(declaration);
    await store.commit([
      deleteStep(collection, { id: { in: ids } }),
      await companies.countStep(this.companyId, erased),
    ]);
    failpoint("erase.after_batch");
    await sleep(Math.min(performance.now() - startedAt, REST_MS_MAX));
  }

  private documentsOf(collections: readonly DeclaredCollection[]): CompanyDocuments {
    return new CompanyDocuments(this.storage.store, collections, this.companyId);
  }
}

/** Returns the time until which a worker may not have noticed; 0: none is at work. */
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
