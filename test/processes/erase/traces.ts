import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** The forms in which a word may stand in a file: as it is, in capitals, and in base64, which has three positions. */
export function formsOf(word: string): string[] {
  const shifted = [0, 1, 2].map((shift) => {
    const encoded = Buffer.from(" ".repeat(shift) + word).toString("base64");
    // What stands at the ends depends on the neighbors.
    return encoded.slice(4, Math.floor(((shift + word.length) * 4) / 3) - 1);
  });
  return [word, word.toUpperCase(), ...shifted];
}

/** The files below a folder in whose bytes, or names, one of the words stands: `file: word`. */
export async function tracesOf(words: readonly string[], folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const bytes = await readFile(file);
    for (const word of words) if (bytes.includes(word) || entry.name.includes(word)) found.push(`${file}: ${word}`);
  }
  return found;
}
