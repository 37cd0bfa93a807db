import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../errors/app-error.js";

/** What a server keeps beside its database, and makes only once it has one. */
const LEFT_BY_SERVERS: readonly { folder: string; is: (name: string) => boolean; what: string }[] = [
  { folder: "keys", is: (name) => name.endsWith(".pem"), what: "signing keys" },
  { folder: join("files", "blobs"), is: () => true, what: "files" },
];

/**
 * What an earlier server has left in a data folder, such as "signing keys". To be asked before the database is looked
 * at: a server that starts beside this one makes its database first.
 */
export async function leftInFolder(dataDir: string): Promise<string | undefined> {
  for (const { folder, is, what } of LEFT_BY_SERVERS) {
    const names = await readdir(join(dataDir, folder)).catch(() => []);
    if (names.some(is)) return what;
  }
  return undefined;
}

/** Whether the database file is not there, or has not a byte. */
export async function isEmptyFile(file: string): Promise<boolean> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  return size === 0;
}

/** The refusal to start with an empty database beside what belongs to a full one. */
export function emptiedFolder(file: string, left: string): AppError {
  const remedy = 'Restore the newest backup ("Backup and restore" in docs/deploy.md says how)';
  const message = `The database ${file} is missing or empty, but there are ${left} of an earlier server beside it. ${remedy}, or, to start anew, move the folders keys and files away as well.`;
  return new AppError("unavailable", message);
}
