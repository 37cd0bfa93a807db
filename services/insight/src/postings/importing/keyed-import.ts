import {
  findByIdempotency,
  IDEMPOTENCY_TTL_MS,
  keyReused,
  idempotencyOf,
  type Store,
  winnerOf,
} from "@hourglass/runtime";
import type { Collections } from "../../store/collections.js";
import type { InsightRecord, PostingImport } from "../../store/records.js";

export interface KeyedImportDeps {
  store: Pick<Store, "nextId">;
  collections: Pick<Collections, "imports">;
  now: () => number;
}

export interface ImportKey {
  insight: InsightRecord;
  /** Empty without one. */
  key: string;
  /** Digest of the request. */
  hash: string;
}

/**
 * The record of the import that the key stands for, created if there is none; undefined without a key. Throws AppError
 * `invalid` if the key was used for another request.
 */
export async function openImport(
  deps: KeyedImportDeps,
  { insight, key, hash }: ImportKey,
): Promise<PostingImport | undefined> {
  const { imports } = deps.collections;
  const idempotency = idempotencyOf(insight.companyId, key);
  if (idempotency === undefined) return undefined;
  const find = () => findByIdempotency(imports, idempotency, deps.now());
  const found =
    (await find()) ??
    (await create(deps, { insight, hash, idempotency }).catch((error: unknown) => winnerOf(error, find)));
  if (found.requestHash === hash) return found;
  throw keyReused("header.idempotency_key");
}

async function create(
  { store, collections: { imports }, now }: KeyedImportDeps,
  { insight, hash, idempotency }: { insight: InsightRecord; hash: string; idempotency: string },
): Promise<PostingImport> {
  const createdAt = now();
  const record = {
    id: await store.nextId("posting_imports"),
    companyId: insight.companyId,
    insightId: insight.id,
    createdAt,
    idempotency,
    requestHash: hash,
    pages: 0,
    accepted: 0,
    known: 0,
    erased: 0,
    dueAt: createdAt + IDEMPOTENCY_TTL_MS,
  };
  await imports.insert(record);
  return record;
}
