import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const NAME = "first-password";
/** Only the user of the server may read it. */
const MODE = 0o600;

/** A password in a file with a temporary name, until it is known whether the user got it. */
export interface WrittenPassword {
  /** Gives the file its name and returns its path. */
  keep(): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Writes the generated password of the first user into the data folder, where only this user of the machine can read it;
 * where the folder cannot be written, as in a container without a volume, into the folder for temporary files.
 */
export const writeFirstPassword = async (dataDir: string, password: string): Promise<WrittenPassword> => {
  try {
    return await writeInto(dataDir, password);
  } catch {
    return writeInto(tmpdir(), password);
  }
};

const writeInto = async (folder: string, password: string): Promise<WrittenPassword> => {
  await mkdir(folder, { recursive: true });
  const written = path.join(folder, `${NAME}-${randomUUID()}`);
  await writeFile(written, `${password}\n`, { mode: MODE, flag: "wx" });
  return {
    keep: async () => {
      const kept = path.join(folder, NAME);
      await rename(written, kept);
      return kept;
    },
    remove: () => rm(written, { force: true }),
  };
};

/** The file with the password of the first user; undefined if there is none, since it was chosen, or somebody deleted it. */
export const firstPasswordFile = (dataDir: string): string | undefined => {
  const file = path.join(dataDir, NAME);
  return existsSync(file) ? file : undefined;
};
