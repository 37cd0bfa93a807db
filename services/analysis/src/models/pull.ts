import { randomUUID } from "node:crypto";
import {
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  utimes,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  causeOf,
  type HubFile,
  type HubSettings,
  type Listing,
  type ModelSource,
  sourceOf,
  type Transfer,
} from "./hub.js";
import {
  type Checksum,
  findDamage,
  folderOfModel,
  type Manifest,
  MANIFEST_FILE,
  matchesChecksum,
  ModelError,
  type ModelId,
  readManifest,
  sha256OfFile,
  sizeOf,
} from "./model.js";

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
  /** Where the files come from instead of the hub. */
  source?: ModelSource | undefined;
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
  const lock = siblingOf(folder, "lock");
  return await withDiskErrors(folder, () =>
    withLock(
      lock,
      () => pullLocked(model, folder, { ...options, source: options.source ?? sourceOf(options.hub), signal }),
      signal,
    ),
  );
}

type Pull = PullOptions & { signal: AbortSignal; source: ModelSource };

async function pullLocked(model: ModelId, folder: string, options: Pull): Promise<Manifest> {
  const { hub, source, signal } = options;
  const before = await readManifest(folder).catch(() => undefined);
  if (before === undefined && (await isForeign(folder))) {
    throw new ModelError("refused", `${folder} holds files that were not downloaded by this command: move them away.`);
  }
  const listing = await withRetries({ hub, signal }, () => source.list(model, signal));
  const files = options.select(listing.files.filter(({ path: name }) => isInside(name)));
  const wanted =
    source.finish !== undefined ||
    files.every(({ path: name }) => before?.files[name] !== undefined || name === OWN_SETTINGS_FILE);
  if (before?.commit === listing.commit && wanted && (await findDamage(folder, before)).length === 0) return before;
  const staging = siblingOf(folder, `${listing.commit.slice(0, 12)}.part`);
  try {
    const manifest = await downloadAll(staging, model, { listing: { ...listing, files: [...files] }, options });
    await replaceFolder(folder, staging);
    return manifest;
  } catch (error) {
    // A download that does not fit must not fill up the rest of the disk.
    if (error instanceof ModelError && error.kind === "disk") await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

/** Downloads the missing files of the staging folder, then writes its manifest. */
async function downloadAll(
  staging: string,
  model: ModelId,
  { listing, options }: { listing: Listing; options: Pull },
): Promise<Manifest> {
  const { hub, source, signal, onProgress } = options;
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
    await downloadFile({ hub, source, model, commit, file, target, signal, onBytes });
    received += (await sizeOf(target)) ?? 0;
    onBytes(0);
  }
  const made = await withDiskErrors(path.join(staging, MANIFEST_FILE), async () => source.finish?.(staging));
  for (const name of made ?? files.map((file) => file.path)) {
    if (name === OWN_SETTINGS_FILE) continue;
    const target = path.join(staging, name);
    done[name] = { bytes: (await sizeOf(target)) ?? 0, sha256: await sha256OfFile(target) };
  }
  const manifest: Manifest = {
    id: model.id,
    revision: model.revision,
    commit,
    endpoint: new URL(source.endpoint).origin,
    pulledAt: new Date().toISOString(),
    files: done,
  };
  const place = path.join(staging, MANIFEST_FILE);
  await withDiskErrors(place, () => writeFile(place, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true }));
  return manifest;
}

/** Moves the complete folder into its place; the operator's own settings are kept. */
async function replaceFolder(folder: string, staging: string): Promise<void> {
  const own = path.join(folder, OWN_SETTINGS_FILE);
  if ((await sizeOf(own)) !== undefined) await copyFile(own, path.join(staging, OWN_SETTINGS_FILE));
  const old = siblingOf(folder, "old");
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
const siblingOf = (folder: string, suffix: string): string => {
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

/** One file to fetch. */
interface Download {
  hub: HubSettings;
  source: ModelSource;
  model: ModelId;
  commit: string;
  file: HubFile;
  /** Final path of the file; until it is complete and verified it is stored in the same folder under another name. */
  target: string;
  signal: AbortSignal;
  /** Called with the number of bytes received so far. */
  onBytes: (received: number) => void;
}

const RETRY_PAUSE_MS = 1000;
const SILENCE_MS = 30_000;
/**
 * Maximum total cost of failed attempts: a broken connection costs 1; a wrong checksum, which requires a new download,
 * costs 2.
 */
const FAILURES_MAX = 4;

/**
 * Downloads a file, resuming where an earlier attempt or process stopped. The file appears under its name only when it
 * is complete and matches the hub's checksum. Throws ModelError.
 */
async function downloadFile(download: Download): Promise<void> {
  const { target, file } = download;
  const part = `${target}.incomplete`;
  await withDiskErrors(target, () => mkdir(path.dirname(target), { recursive: true }));
  await withRetries(download, async () => {
    const sent = await fetchRest(download, part);
    const expected = file.checksum ?? sent;
    if (expected !== undefined && !(await matchesChecksum(part, expected))) {
      await rm(part, { force: true });
      throw new ModelError("damaged", `${file.path} arrived with another checksum than it should have.`);
    }
  });
  await rename(part, target);
}

/** Retries failures that may be temporary, with growing pauses. */
async function withRetries<T>(
  { hub, signal }: Pick<Download, "hub" | "signal">,
  attempt: () => Promise<T>,
): Promise<T> {
  let pauseMs = hub.pauseMs ?? RETRY_PAUSE_MS;
  for (let spent = 0; ;) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError)) throw error;
      spent += error.kind === "damaged" ? 2 : 1;
      if ((error.kind !== "unreachable" && error.kind !== "damaged") || spent >= FAILURES_MAX) throw error;
    }
    await sleep(pauseMs, undefined, { signal });
    pauseMs *= 2;
  }
}

/** Downloads the missing rest of `part`; returns the checksum sent with it. */
async function fetchRest(download: Download, part: string): Promise<Checksum | undefined> {
  const { hub, source, file, signal } = download;
  const there = (await sizeOf(part)) ?? 0;
  if (there > 0 && there === file.bytes) return undefined;
  const from = there > (file.bytes ?? Infinity) ? 0 : there;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), hub.silenceMs ?? SILENCE_MS);
  try {
    const within = AbortSignal.any([signal, silence.signal]);
    const transfer = await source.open(download.model, { ...download, path: file.path, from, signal: within });
    await writeBody(download, { transfer, part, from, timer });
    return transfer.checksum;
  } catch (error) {
    if (!silence.signal.aborted || signal.aborted) throw error;
    throw new ModelError("unreachable", `${source.endpoint} stopped sending in the middle of ${file.path}.`);
  } finally {
    clearTimeout(timer);
  }
}

interface BodyTarget {
  transfer: Transfer;
  part: string;
  /** The first requested byte. */
  from: number;
  /** Restarted by every received byte. */
  timer: NodeJS.Timeout;
}

/** Writes a response body to disk as it arrives. */
async function writeBody({ file, onBytes }: Download, { transfer, part, from, timer }: BodyTarget): Promise<void> {
  const bytes = transfer.bytes ?? file.bytes;
  // A server that cannot resume sends the file from the start.
  let received = transfer.from === from ? from : 0;
  if (bytes !== undefined) await checkFreeSpace(part, bytes - received);
  const handle = await withDiskErrors(part, () => open(part, received > 0 ? "a" : "w"));
  try {
    for await (const piece of piecesOf(transfer.body, file.path)) {
      timer.refresh();
      await withDiskErrors(part, () => handle.writeFile(piece));
      received += piece.byteLength;
      onBytes(received);
    }
    await withDiskErrors(part, () => handle.sync());
    if (bytes === undefined || received === bytes) return;
    if (received > bytes) await handle.truncate(0);
    throw new ModelError("unreachable", `${file.path} was cut after ${received} of ${bytes} bytes.`);
  } finally {
    await handle.close();
  }
}

/** The chunks of a body; a broken connection becomes a ModelError. */
async function* piecesOf(body: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw new ModelError("unreachable", `${name} was cut (${causeOf(error)}).`, { cause: error });
  }
}

/** Detects a full disk before the transfer rather than after an hour of it. */
async function checkFreeSpace(file: string, bytes: number): Promise<void> {
  const folder = path.dirname(file);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (bytes <= free) return;
  throw new ModelError("disk", `${folder} has ${inMegabytes(free)} free, ${inMegabytes(bytes)} are needed.`);
}

/** `126 MB` */
export const inMegabytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.round(bytes / 1e6)} MB`;

const DISK_CODES: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is used up",
  EFBIG: "the file is too large for the disk",
  EROFS: "the disk is read-only",
  EACCES: "the folder may not be written to",
  EPERM: "the folder may not be written to",
};

/** Runs a write; an error of the disk becomes a ModelError. */
async function withDiskErrors<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const why = DISK_CODES[(error as NodeJS.ErrnoException).code ?? ""];
    if (why === undefined) throw error;
    throw new ModelError("disk", `${path.dirname(file)}: ${why}.`, { cause: error });
  }
}

/**
 * A holder touches its lock at the first interval, in milliseconds; after the second without a touch the holder is
 * considered dead.
 */
const REFRESH_MS = 1000;
const STALE_MS = 30_000;
const RETRY_LOCK_MS = 200;

/**
 * Runs `work` under an exclusive lock among all calls, threads and processes of this machine and of others that share
 * the disk. The lock of a dead holder is taken over after half a minute.
 */
async function withLock<T>(file: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const token = randomUUID();
  await mkdir(path.dirname(file), { recursive: true });
  while (!(await tryLock(file, token))) {
    await breakStaleLock(file);
    await sleep(RETRY_LOCK_MS, undefined, { signal });
  }
  const touching = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), REFRESH_MS);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    if ((await holderOf(file)) === token) await rm(file, { force: true });
  }
}

async function tryLock(file: string, token: string): Promise<boolean> {
  try {
    await writeFile(file, token, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

const holderOf = (file: string): Promise<string | undefined> => readFile(file, "utf8").catch(() => undefined);

async function breakStaleLock(file: string): Promise<void> {
  const owner = await holderOf(file);
  const silentMs = await stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (owner === undefined || silentMs < STALE_MS) return;
  // Renaming is atomic, so only one of two concurrent attempts succeeds; a new holder's lock that was moved by mistake
  // is put back.
  const aside = `${file}-${randomUUID()}`;
  const moved = await rename(file, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  if ((await holderOf(aside)) !== owner) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}
