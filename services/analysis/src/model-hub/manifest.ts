import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { sha256OfFile } from "./checksum.js";
import { ModelError } from "./model-error.js";

/** Stored in the folder of every downloaded model; files that it does not list were not downloaded. */
export const MANIFEST_FILE = "hourglass-manifest.json";

/** The record of a download: written last, and compared with the files at every load. */
export interface Manifest {
  /** `owner/name` */
  id: string;
  /** The requested branch, tag or commit, and the resolved commit. */
  revision: string;
  commit: string;
  /** Origin of the hub. */
  endpoint: string;
  /** ISO 8601 */
  pulledAt: string;
  /** By path relative to the folder, with `/`. */
  files: Readonly<Record<string, { bytes: number; sha256: string }>>;
}

/** The manifest of a model's folder; undefined if there is none. Throws ModelError if it is malformed. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(folder, MANIFEST_FILE), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const manifest = parse(text);
  if (manifest === undefined) throw new ModelError("damaged", `its ${MANIFEST_FILE} is damaged`);
  return manifest;
}

function parse(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isManifest(value) ? value : undefined;
}

function isManifest(value: unknown): value is Manifest {
  if (!isRecord(value) || !isRecord(value["files"])) return false;
  if (!["id", "revision", "commit", "endpoint", "pulledAt"].every((key) => typeof value[key] === "string"))
    return false;
  return Object.values(value["files"]).every(
    (file) => isRecord(file) && typeof file["bytes"] === "number" && typeof file["sha256"] === "string",
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Total size of all files in bytes. */
export const sizeOfManifest = ({ files }: Manifest): number =>
  Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Compares the files of a folder with its manifest and returns one phrase per problem; empty if there is none. `quick`
 * compares sizes only.
 */
export async function findDamage(folder: string, manifest: Manifest, quick = false): Promise<string[]> {
  const damage: string[] = [];
  for (const [name, { bytes, sha256 }] of Object.entries(manifest.files)) {
    const file = path.join(folder, name);
    const size = await sizeOf(file);
    if (size === undefined) damage.push(`${name} is missing`);
    else if (size !== bytes) damage.push(`${name} has ${size} bytes, not ${bytes}`);
    else if (!quick && (await sha256OfFile(file)) !== sha256) damage.push(`${name} has another checksum`);
  }
  return damage;
}

/** Size of a file in bytes; undefined if it does not exist. */
export async function sizeOf(file: string): Promise<number | undefined> {
  try {
    const found = await stat(file);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}
