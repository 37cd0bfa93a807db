// Compressed copies of built files, which the gateway sends as they are.
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Writes the compressed copies of a file, where they are smaller, and returns the size of the smallest. */
export async function compress(file) {
  const bytes = fs.readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  if (br.length < bytes.length) fs.writeFileSync(`${file}.br`, br);
  if (gz.length < bytes.length) fs.writeFileSync(`${file}.gz`, gz);
  return Math.min(br.length, gz.length, bytes.length);
}

/** The same for all files below a folder that get smaller by it. */
export async function compressAll(folder) {
  const names = fs.readdirSync(folder, { recursive: true }).filter((name) => /\.(html|js|css|json|svg)$/.test(name));
  await Promise.all(names.map((name) => compress(path.join(folder, name))));
}
