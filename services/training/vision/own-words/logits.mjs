// Writes what the classifier says of every picture of the folders of DIR, prepared as the product does it: DIR/logits.bin has
// 1,000 floats a picture, DIR/logits.txt the names. Needs a built product.
// Run: node services/training/vision/own-words/logits.mjs DIR
import { Buffer } from "node:buffer";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { decodeImage } from "../../../analysis/dist/media/image.js";
import { inspectFile } from "../../../analysis/dist/media/probe/inspector.js";
import { logitsOf } from "../../../analysis/dist/vision/kinds.js";

const folder = process.argv[2];
const words = readdirSync(folder).filter(
  (name) => name !== "scratch" && statSync(path.join(folder, name)).isDirectory(),
);
const [names, rows] = [[], []];
for (const word of words) {
  for (const name of readdirSync(path.join(folder, word))) {
    const file = path.join(folder, word, name);
    try {
      const frame = await decodeImage(file, await inspectFile(file, { imagePixelsMax: 4e7, durationMsMax: 0 }));
      rows.push(Buffer.from(Float32Array.from(await logitsOf(frame)).buffer));
      names.push(`${word}/${name}`);
    } catch (error) {
      process.stderr.write(`${file}: ${error.message}\n`);
    }
  }
}
writeFileSync(path.join(folder, "logits.txt"), names.join("\n"));
writeFileSync(path.join(folder, "logits.bin"), Buffer.concat(rows));
