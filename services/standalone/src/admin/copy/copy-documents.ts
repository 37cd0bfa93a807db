import { KEY_COLLECTION } from "@hourglass/auth";
import { failpoint, type Collection, type Document } from "@hourglass/runtime";
import { canonical } from "./digest.js";
import type { Progress } from "../progress.js";
import type { CopySide } from "./side.js";

/** Bounds of what is written at once: documents, and characters of them. */
const BATCH = { documents: 500, characters: 4_000_000 };

type Sides = Record<"source" | "target", Pick<CopySide, "contents">>;

/** Names of the collections on either side. Signing keys are not among them: they are re-encrypted on the way. */
export async function collectionsOf({ source, target }: Sides): Promise<string[]> {
  const names = new Set([...(await source.contents.names()), ...(await target.contents.names())]);
  names.delete(KEY_COLLECTION);
  return [...names].sort();
}

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
