import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

/** What the hub says about the content of a file: large files by SHA-256, small ones by the hash git gives them. */
export interface Checksum {
  algorithm: "sha256" | "git";
  hex: string;
}

/** SHA-256 of a file in hexadecimal; reads it in pieces. */
export const sha256OfFile = (file: string): Promise<string> => digest(file, "sha256", "");

/** Whether a file is what its checksum says. */
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
