import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A holder touches its lock at the first interval, in milliseconds; after the second without a touch the holder is
 * considered dead.
 */
const TOUCH_MS = 1000;
const SILENCE_MS = 30_000;
const LOOK_MS = 200;

/**
 * Runs `work` under an exclusive lock among all calls, threads and processes of this machine and of others that share
 * the disk. The lock of a dead holder is taken over after half a minute.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const token = randomUUID();
  await mkdir(path.dirname(file), { recursive: true });
  while (!(await take(file, token))) {
    await removeAbandoned(file);
    await sleep(LOOK_MS, undefined, { signal });
  }
  const touching = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), TOUCH_MS);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    if ((await ownerOf(file)) === token) await rm(file, { force: true });
  }
}

async function take(file: string, token: string): Promise<boolean> {
  try {
    await writeFile(file, token, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

const ownerOf = (file: string): Promise<string | undefined> => readFile(file, "utf8").catch(() => undefined);

async function removeAbandoned(file: string): Promise<void> {
  const owner = await ownerOf(file);
  const silentMs = await stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (owner === undefined || silentMs < SILENCE_MS) return;
  // Renaming is atomic, so only one of two concurrent attempts succeeds; a new holder's lock that was moved by mistake
  // is put back.
  const aside = `${file}-${randomUUID()}`;
  const moved = await rename(file, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  if ((await ownerOf(aside)) !== owner) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}
