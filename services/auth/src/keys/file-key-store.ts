import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { AppError } from "@hourglass/runtime";
import { keyMadeAt } from "./key-id.js";
import type { KeyStore } from "./key-store.js";

const SUFFIX = ".pem";

/** Keys as files `<kid>.pem`, readable only by their owner. */
export function createFileKeyStore(folder: string): KeyStore {
  const fileOf = (id: string): string => path.join(folder, id + SUFFIX);
  return {
    listIds: () =>
      guarded(async () => {
        const names = await unlessMissing(readdir(folder));
        const ids = (names ?? []).filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
        return ids.filter((id) => keyMadeAt(id) !== undefined);
      }),
    read: (id) =>
      guarded(async () => {
        const privatePem = await unlessMissing(readFile(fileOf(id), "utf8"));
        return privatePem === undefined ? undefined : { id, privatePem };
      }),
    add: ({ id, privatePem }) => guarded(() => writeAtomically(folder, fileOf(id), privatePem)),
    remove: (id) => guarded(() => rm(fileOf(id), { force: true })),
  };
}

/** A crash at any point leaves either the whole new file or the previous state under its name. */
async function writeAtomically(folder: string, file: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  const directory = await open(folder, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new AppError("unavailable", "The signing keys cannot be read or written. Try again later.", { cause: error });
  }
}
