import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";

/** A model as named in the configuration. */
export interface ModelId {
  /** `owner/name`: its path on the hub, and its folder below the models' folder. */
  id: string;
  /** Branch, tag or commit; `main` by default. */
  revision: string;
  /** Whether the revision was specified. If not, any local revision is accepted. */
  pinned: boolean;
}

const PART = /^[A-Za-z0-9][\w.-]{0,95}$/;
const REVISION = /^[A-Za-z0-9][\w./-]{0,199}$/;

/** Parses `owner/name` or `owner/name@revision`. Throws ModelError. */
export function parseModelId(text: string): ModelId {
  const [id = "", revision, ...rest] = text.split("@");
  const parts = id.split("/");
  const named = parts.length === 2 && parts.every((part) => PART.test(part) && !part.includes(".."));
  const pinned = revision !== undefined;
  if (!named || rest.length > 0 || (pinned && (!REVISION.test(revision) || revision.includes("..")))) {
    throw new ModelError("refused", `"${text}" names no model: write owner/name or owner/name@revision.`);
  }
  return { id, revision: revision ?? "main", pinned };
}

/** Formats the id as in the configuration. */
export const spellModelId = ({ id, revision, pinned }: ModelId): string => (pinned ? `${id}@${revision}` : id);

/** Folder of a model's files. */
export const folderOfModel = (modelsDir: string, { id }: Pick<ModelId, "id">): string =>
  path.join(modelsDir, ...id.split("/"));

/**
 * `absent`: not on this machine; `damaged`: the files differ from the download; `unreachable`: the hub may answer
 * later; `refused`: another model, token or setting is needed; `disk`: the disk is full or not writable.
 */
type ModelErrorKind = "absent" | "damaged" | "unreachable" | "refused" | "disk";

/** A model is unavailable or unusable; `message` tells the operator what to do. */
export class ModelError extends Error {
  override readonly name = "ModelError";

  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    options?: { cause: unknown },
  ) {
    super(message, options);
  }
}

/** The command that downloads a model. */
export const pullCommand = (model: string): string => `npm run models -- pull ${model}`;

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
  const manifest = parseManifest(text);
  if (manifest === undefined) throw new ModelError("damaged", `its ${MANIFEST_FILE} is damaged`);
  return manifest;
}

function parseManifest(text: string): Manifest | undefined {
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

/** The hub's checksum of a file: SHA-256 for large files, git's blob hash for small ones. */
export interface Checksum {
  algorithm: "sha256" | "git";
  hex: string;
}

/** SHA-256 of a file in hexadecimal; reads it in chunks. */
export const sha256OfFile = (file: string): Promise<string> => digest(file, "sha256", "");

/** Whether a file matches its checksum. */
export async function matchesChecksum(file: string, { algorithm, hex }: Checksum): Promise<boolean> {
  if (algorithm === "sha256") return (await sha256OfFile(file)) === hex;
  const { size } = await stat(file);
  return (await digest(file, "sha1", `blob ${size}\0`)) === hex;
}

async function digest(file: string, algorithm: string, header: string): Promise<string> {
  const hash = createHash(algorithm).update(header);
  for await (const piece of createReadStream(file, { highWaterMark: 2 ** 20 })) hash.update(piece as Buffer);
  return hash.digest("hex");
}
