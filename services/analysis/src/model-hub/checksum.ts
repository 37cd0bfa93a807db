import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

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
