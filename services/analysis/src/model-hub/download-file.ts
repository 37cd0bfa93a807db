import { mkdir, open, rename, rm, statfs } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { matchesChecksum, type Checksum } from "./checksum.js";
import { causeOf, openFile, type HubFile, type HubSettings, type Transfer } from "./hub.js";
import { sizeOf } from "./manifest.js";
import { ModelError } from "./model-error.js";
import type { ModelId } from "./model-id.js";

/** One file to fetch. */
export interface Download {
  hub: HubSettings;
  model: ModelId;
  commit: string;
  file: HubFile;
  /** Final path of the file; until it is complete and verified it is stored in the same folder under another name. */
  target: string;
  signal: AbortSignal;
  /** Called with the number of bytes received so far. */
  onBytes: (received: number) => void;
}

const PAUSE_MS = 1000;
const SILENCE_MS = 30_000;
/**
 * Maximum total cost of failed attempts: a broken connection costs 1; a wrong checksum, which requires a new download,
 * costs 2.
 */
const PATIENCE = 4;

/**
 * Downloads a file, resuming where an earlier attempt or process stopped. The file appears under its name only when it
 * is complete and matches the hub's checksum. Throws ModelError.
 */
export async function downloadFile(download: Download): Promise<void> {
  const { target, file } = download;
  const part = `${target}.incomplete`;
  await writing(target, () => mkdir(path.dirname(target), { recursive: true }));
  await patiently(download, async () => {
    const sent = await fetchRest(download, part);
    const expected = file.checksum ?? sent;
    if (expected !== undefined && !(await matchesChecksum(part, expected))) {
      await rm(part, { force: true });
      throw new ModelError("damaged", `${file.path} arrived with another checksum than the hub gave.`);
    }
  });
  await rename(part, target);
}

/** Retries failures that may be temporary, with growing pauses. */
export async function patiently<T>(
  { hub, signal }: Pick<Download, "hub" | "signal">,
  attempt: () => Promise<T>,
): Promise<T> {
  let pauseMs = hub.pauseMs ?? PAUSE_MS;
  for (let spent = 0; ;) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError)) throw error;
      spent += error.kind === "damaged" ? 2 : 1;
      if ((error.kind !== "unreachable" && error.kind !== "damaged") || spent >= PATIENCE) throw error;
    }
    await sleep(pauseMs, undefined, { signal });
    pauseMs *= 2;
  }
}

/** Downloads the missing rest of `part`; returns the checksum sent with it. */
async function fetchRest(download: Download, part: string): Promise<Checksum | undefined> {
  const { hub, file, signal } = download;
  const there = (await sizeOf(part)) ?? 0;
  if (there > 0 && there === file.bytes) return undefined;
  const from = there > (file.bytes ?? Infinity) ? 0 : there;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), hub.silenceMs ?? SILENCE_MS);
  try {
    const within = AbortSignal.any([signal, silence.signal]);
    const transfer = await openFile(hub, download.model, { ...download, path: file.path, from, signal: within });
    await keep(download, { transfer, part, from, timer });
    return transfer.checksum;
  } catch (error) {
    if (!silence.signal.aborted || signal.aborted) throw error;
    throw new ModelError("unreachable", `${hub.endpoint} fell silent in the middle of ${file.path}.`);
  } finally {
    clearTimeout(timer);
  }
}

interface Arrival {
  transfer: Transfer;
  part: string;
  /** The first requested byte. */
  from: number;
  /** Restarted by every received byte. */
  timer: NodeJS.Timeout;
}

/** Writes a response body to disk as it arrives. */
async function keep({ file, onBytes }: Download, { transfer, part, from, timer }: Arrival): Promise<void> {
  const bytes = transfer.bytes ?? file.bytes;
  // A server that cannot resume sends the file from the start.
  let received = transfer.from === from ? from : 0;
  if (bytes !== undefined) await checkRoom(part, bytes - received);
  const handle = await writing(part, () => open(part, received > 0 ? "a" : "w"));
  try {
    for await (const piece of arriving(transfer.body, file.path)) {
      timer.refresh();
      await writing(part, () => handle.writeFile(piece));
      received += piece.byteLength;
      onBytes(received);
    }
    await writing(part, () => handle.sync());
    if (bytes === undefined || received === bytes) return;
    if (received > bytes) await handle.truncate(0);
    throw new ModelError("unreachable", `${file.path} was cut after ${received} of ${bytes} bytes.`);
  } finally {
    await handle.close();
  }
}

/** The chunks of a body; a broken connection becomes a ModelError. */
async function* arriving(body: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw new ModelError("unreachable", `${name} was cut (${causeOf(error)}).`, { cause: error });
  }
}

/** Detects a full disk before the transfer rather than after an hour of it. */
async function checkRoom(file: string, bytes: number): Promise<void> {
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
export async function writing<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const why = DISK_CODES[(error as NodeJS.ErrnoException).code ?? ""];
    if (why === undefined) throw error;
    throw new ModelError("disk", `${path.dirname(file)}: ${why}.`, { cause: error });
  }
}
