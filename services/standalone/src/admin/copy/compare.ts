import { counted, type Books } from "@hourglass/runtime";
import { collectionsOf } from "./copy-documents.js";
import { canonical, Digest, hashOf } from "./digest.js";
import type { Progress } from "../progress.js";
import type { CopySide } from "./side.js";

/** What both sides hold of one kind. */
export interface Comparison {
  /** Name of the collection, or of what is no collection. */
  name: string;
  /** Singular. */
  unit: string;
  source: Digest;
  target: Digest;
}

type Sides = Record<"source" | "target", CopySide>;

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
