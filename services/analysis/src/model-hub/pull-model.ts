import { copyFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { sha256OfFile } from "./checksum.js";
import { downloadFile, patiently, writing } from "./download-file.js";
import { withLock } from "./folder-lock.js";
import { listFiles, type HubFile, type HubSettings, type Listing } from "./hub.js";
import { findDamage, type Manifest, MANIFEST_FILE, readManifest, sizeOf } from "./manifest.js";
import { ModelError } from "./model-error.js";
import { folderOfModel, type ModelId } from "./model-id.js";

/** The progress of a download. */
export interface PullProgress {
  /** `owner/name` */
  id: string;
  /** The current file. */
  file: string;
  /** Bytes received for all files of the model. */
  received: number;
  /** Undefined if the hub does not send it. */
  total: number | undefined;
}

export interface PullOptions {
  modelsDir: string;
  hub: HubSettings;
  /** Selects the required files; throws ModelError if the model lacks one. */
  select: (files: readonly HubFile[]) => readonly HubFile[];
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: PullProgress) => void) | undefined;
}

/** The operator's own file in a model's folder, which may be edited and is never verified. */
export const OWN_SETTINGS_FILE = "hourglass.json";

/**
 * Downloads a model into its folder. The folder appears, or is replaced, in one step after all files have been
 * downloaded and verified; until then they are in a staging folder next to it, from which the next call resumes. Does
 * nothing if the hub's commit is present and undamaged. Calls for the same model wait for each other, across processes,
 * too. Throws ModelError.
 */
export async function pullModel(model: ModelId, options: PullOptions): Promise<Manifest> {
  const folder = folderOfModel(options.modelsDir, model);
  const signal = options.signal ?? new AbortController().signal;
  const lock = besideFolder(folder, "lock");
  return await writing(folder, () => withLock(lock, () => pullLocked(model, folder, { ...options, signal }), signal));
}

type Pull = PullOptions & { signal: AbortSignal };

async function pullLocked(model: ModelId, folder: string, options: Pull): Promise<Manifest> {
  const { hub, signal } = options;
  const before = await readManifest(folder).catch(() => undefined);
  if (before === undefined && (await isForeign(folder))) {
    throw new ModelError("refused", `${folder} holds files that were not downloaded by this command: move them away.`);
  }
  const listing = await patiently({ hub, signal }, () => listFiles(hub, model, signal));
  const files = options.select(listing.files.filter(({ path: name }) => isInside(name)));
  const wanted = files.every(({ path: name }) => before?.files[name] !== undefined || name === OWN_SETTINGS_FILE);
  if (before?.commit === listing.commit && wanted && (await findDamage(folder, before)).length === 0) return before;
  const staging = besideFolder(folder, `${listing.commit.slice(0, 12)}.part`);
  try {
    const manifest = await fill(staging, model, { listing: { ...listing, files: [...files] }, options });
    await replace(folder, staging);
    return manifest;
  } catch (error) {
    // A download that does not fit must not fill up the rest of the disk.
    if (error instanceof ModelError && error.kind === "disk") await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

/** Downloads the missing files of the staging folder, then writes its manifest. */
async function fill(
  staging: string,
  model: ModelId,
  { listing, options }: { listing: Listing; options: Pull },
): Promise<Manifest> {
  const { hub, signal, onProgress } = options;
  const { commit, files } = listing;
  const sizes = files.map(({ bytes }) => bytes ?? NaN);
  const sum = sizes.reduce((a, b) => a + b, 0);
  const total = Number.isNaN(sum) ? undefined : sum;
  const done: Record<string, { bytes: number; sha256: string }> = {};
  let received = 0;
  for (const file of files) {
    const target = path.join(staging, file.path);
    const onBytes = (bytes: number) =>
      onProgress?.({ id: model.id, file: file.path, received: received + bytes, total });
    await rm(target, { force: true, recursive: true });
    await downloadFile({ hub, model, commit, file, target, signal, onBytes });
    const bytes = (await sizeOf(target)) ?? 0;
    received += bytes;
    onBytes(0);
    if (file.path !== OWN_SETTINGS_FILE) done[file.path] = { bytes, sha256: await sha256OfFile(target) };
  }
  const manifest: Manifest = {
    id: model.id,
    revision: model.revision,
    commit,
    endpoint: new URL(hub.endpoint).origin,
    pulledAt: new Date().toISOString(),
    files: done,
  };
  const place = path.join(staging, MANIFEST_FILE);
  await writing(place, () => writeFile(place, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true }));
  return manifest;
}

/** Moves the complete folder into its place; the operator's own settings are kept. */
async function replace(folder: string, staging: string): Promise<void> {
  const own = path.join(folder, OWN_SETTINGS_FILE);
  if ((await sizeOf(own)) !== undefined) await copyFile(own, path.join(staging, OWN_SETTINGS_FILE));
  const old = besideFolder(folder, "old");
  await rm(old, { recursive: true, force: true });
  await rename(folder, old).catch(unlessAbsent);
  await rename(staging, folder);
  const { dir, base } = path.parse(folder);
  const leftovers = (await readdir(dir)).filter((name) => name.startsWith(`.${base}.`) && /\.(?:part|old)$/.test(name));
  for (const name of leftovers) await rm(path.join(dir, name), { recursive: true, force: true });
}

function unlessAbsent(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}

/** A sibling path of a model's folder that no model can have, because their names never begin with a dot. */
const besideFolder = (folder: string, suffix: string): string => {
  const { dir, base } = path.parse(folder);
  return path.join(dir, `.${base}.${suffix}`);
};

const isForeign = async (folder: string): Promise<boolean> => {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => name !== MANIFEST_FILE && name !== OWN_SETTINGS_FILE);
};

/** Whether a listed path stays below the model's folder; the hub is not trusted. */
const isInside = (name: string): boolean =>
  !name.includes("\\") &&
  !name.includes("\0") &&
  name.split("/").every((part) => part !== "" && part !== "." && part !== "..");
