import { createHash } from "node:crypto";
import { KEY_COLLECTION } from "@hourglass/auth";
import { counted, failpoint, type Books, type Collection, type Document, type ListedBlob } from "@hourglass/runtime";
import type { CopySide } from "./copy-sides.js";
import type { Progress } from "./output.js";

/** The storages of a copy. */
export type Sides = Record<"source" | "target", CopySide>;

/** Bounds of what is written at once: documents, and characters of them. */
const BATCH = { documents: 500, characters: 4_000_000 };

/**
 * Makes the target's documents those of the source. What is there already is compared, and written only if it differs:
 * a copy that was interrupted continues, and a source that was in use since then does no harm.
 */
export async function copyDocuments(sides: Sides, progress: Progress): Promise<void> {
  progress.begin("Copying documents");
  for (const name of await collectionsOf(sides)) {
    const from = await sides.source.contents.collection({ name });
    const to = await sides.target.contents.collection({ name });
    const isNew = (await to.find({}, { limit: 1 })).length === 0;
    for await (const batch of batchesOf(from)) {
      await write(to, batch, isNew);
      failpoint("copy.after_batch");
      progress.add(batch.length, "document");
    }
    if (!isNew) await removeOthers(from, to);
  }
  await sides.target.contents.writeBooks(await sides.source.contents.readBooks());
}

async function write(to: Collection<Document>, batch: readonly Document[], isNew: boolean): Promise<void> {
  const present = isNew ? new Map<Document["id"], Document>() : await read(to, batch);
  const missing = batch.filter(({ id }) => !present.has(id));
  await to.insertNew(missing);
  for (const document of batch) {
    const found = present.get(document.id);
    if (found !== undefined && canonical(found) !== canonical(document)) await to.put(document);
  }
}

/** Deletes what the source has deleted since an earlier attempt. */
async function removeOthers(from: Collection<Document>, to: Collection<Document>): Promise<void> {
  for await (const batch of batchesOf(to)) {
    const present = await read(from, batch);
    for (const { id } of batch) if (!present.has(id)) await to.delete({ id });
  }
}

/** The documents of a collection that have the ids of the others. */
async function read(
  collection: Collection<Document>,
  others: readonly Document[],
): Promise<Map<Document["id"], Document>> {
  const found = await collection.find({ id: { in: others.map(({ id }) => id) } });
  return new Map(found.map((document) => [document.id, document]));
}

async function* batchesOf(collection: Collection<Document>): AsyncGenerator<Document[]> {
  let batch: Document[] = [];
  let characters = 0;
  for await (const document of collection.stream({})) {
    batch.push(document);
    characters += JSON.stringify(document).length;
    if (batch.length < BATCH.documents && characters < BATCH.characters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Names of the collections on either side. Signing keys are not among them: they are re-encrypted on the way. */
async function collectionsOf({ source, target }: Sides): Promise<string[]> {
  const names = new Set([...(await source.contents.names()), ...(await target.contents.names())]);
  names.delete(KEY_COLLECTION);
  return [...names].sort();
}

/** Files copied at the same time: most of the time of a small one is spent waiting for the disk or the network. */
const FILES_AT_ONCE = 4;

/**
 * Makes the target's files those of the source. A file becomes visible as a whole and is never changed in place, so one
 * that is there in its full size was copied by an earlier attempt.
 */
export async function copyFiles({ source, target }: Sides, progress: Progress): Promise<void> {
  progress.begin("Copying files");
  const copyOne = async ({ key, size }: ListedBlob): Promise<void> => {
    if ((await target.blobs.size(key)) !== size) await target.blobs.put(key, source.blobs.get(key));
    failpoint("copy.after_file");
    progress.add(1, "file");
  };
  const remaining = shared(source.blobs.list());
  const copyNext = async (): Promise<void> => {
    for await (const blob of remaining) await copyOne(blob);
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, copyNext));
  for await (const { key } of target.blobs.list()) {
    if ((await source.blobs.size(key)) === undefined) await target.blobs.delete(key);
  }
}

/** A generator, which several loops can share: each gets other elements. */
async function* shared<T>(list: AsyncIterable<T>): AsyncGenerator<T> {
  yield* list;
}

/** Makes the target's signing keys those of the source: tokens issued before stay valid. */
export async function copyKeys(sides: Sides, progress: Progress): Promise<void> {
  progress.begin("Copying signing keys");
  const [source, target] = [await sides.source.keys(), await sides.target.keys()];
  const ids = new Set(await source.listIds());
  for (const id of ids) {
    const [key, present] = [await source.read(id), await target.read(id)];
    if (key === undefined || key.privatePem === present?.privatePem) continue;
    if (present !== undefined) await target.remove(id);
    await target.add(key);
  }
  for (const id of await target.listIds()) if (!ids.has(id)) await target.remove(id);
}

/** What both sides hold of one kind. */
export interface Comparison {
  /** Name of the collection, or of what is no collection. */
  name: string;
  /** Singular. */
  unit: string;
  source: Digest;
  target: Digest;
}

/** Reads both sides from end to end. Kinds of which neither has anything are left out. */
export async function compare(sides: Sides, progress: Progress): Promise<Comparison[]> {
  const compared: Comparison[] = [];
  const add = async (name: string, unit: string, digest: (side: CopySide) => Promise<Digest>): Promise<void> => {
    const [source, target] = await Promise.all([digest(sides.source), digest(sides.target)]);
    if (source.count + target.count > 0) compared.push({ name, unit, source, target });
    progress.add(source.count + target.count, unit);
  };
  progress.begin("Comparing documents");
  for (const name of await collectionsOf(sides)) await add(name, "document", (side) => digestCollection(side, name));
  for (const [name, unit] of BOOKS) await add(name, unit, (side) => digestBook(side, name));
  progress.begin("Comparing files");
  await add("files", "file", digestFiles);
  await add("signing keys", "key", digestKeys);
  return compared;
}

/** Whether both sides hold the same. */
export function isSame({ source, target }: Comparison): boolean {
  return source.equals(target);
}

/** Digits of a checksum that are shown; all of them are compared. */
const DIGITS = 16;

/** A line of the table: name, amount, checksum. */
export function describe({ name, unit, source }: Comparison): string {
  return [name, counted(source.count, unit), source.checksum.slice(0, DIGITS)].join("\t");
}

/** What differs: `users (3 documents, 2 in the copy)`. */
export function describeDifference({ name, unit, source, target }: Comparison): string {
  const amounts = source.count === target.count ? "with other contents" : `${target.count} in the copy`;
  return `${name} (${counted(source.count, unit)}, ${amounts})`;
}

async function digestCollection({ contents }: CopySide, name: string): Promise<Digest> {
  const digest = new Digest();
  const collection = await contents.collection({ name });
  for await (const document of collection.stream({})) digest.add(canonical(document));
  return digest;
}

const BOOKS = [
  ["counters", "counter"],
  ["budgets", "budget"],
  ["migrations", "migration"],
] as const satisfies [keyof Books, string][];

async function digestBook({ contents }: CopySide, name: keyof Books): Promise<Digest> {
  const digest = new Digest();
  for (const entry of (await contents.readBooks())[name]) digest.add(canonical(entry));
  return digest;
}

async function digestFiles({ blobs }: CopySide): Promise<Digest> {
  const digest = new Digest();
  for await (const { key } of blobs.list()) digest.add(`${key} ${await hashOf(blobs.get(key))}`);
  return digest;
}

async function digestKeys(side: CopySide): Promise<Digest> {
  const keys = await side.keys();
  const digest = new Digest();
  for (const id of await keys.listIds()) digest.add(`${id} ${(await keys.read(id))?.privatePem ?? ""}`);
  return digest;
}

const MODULUS = 1n << 256n;

/**
 * Count and checksum of a set. The checksum is the sum of the SHA-256 hashes of the members, so that it does not depend
 * on the order in which a storage returns them.
 */
export class Digest {
  #count = 0;
  #sum = 0n;

  get count(): number {
    return this.#count;
  }

  /** 64 hexadecimal digits. */
  get checksum(): string {
    return this.#sum.toString(16).padStart(64, "0");
  }

  add(member: string): void {
    this.#count += 1;
    this.#sum = (this.#sum + BigInt(`0x${createHash("sha256").update(member).digest("hex")}`)) % MODULUS;
  }

  equals(other: Digest): boolean {
    return this.count === other.count && this.checksum === other.checksum;
  }
}

/** A value as JSON with the fields of each object in order, so that it is the same however a storage keeps it. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    const fields = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1));
    // Fields whose names are whole numbers come first in any object, whatever the order of entries.
    return Object.fromEntries(fields) as unknown;
  });
}

/** SHA-256 of a stream of bytes, in hexadecimal. */
async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of bytes) hash.update(part);
  return hash.digest("hex");
}
