import { createReadStream, createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createGunzip } from "node:zlib";
import { createVocabulary, ENCODER_FOLDER, type Pieces, TOKENIZER_FILE } from "@hourglass/analysis/training";
import { say } from "../report.js";
import { readWritten } from "../written-rows.js";

/** Data sets used to train or evaluate the encoder. */
const DATA_SETS = [
  "sentiment-simple",
  "sentiment-real",
  "goemotions-raw",
  "intention",
  "spam",
  "sentiment-multilingual",
];
const PARTS = ["train", "dev"];

/**
 * Splits every text of the data sets into pieces with the serving code, so that training uses the same input as the
 * service. `prepare --data DIR --out FILE [--tokenizer FILE] [rows.jsonl.gz …]` writes one line per distinct text: text, ids and shape of
 * every piece, and the index of each token's first piece.
 */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: {
      data: { type: "string", default: "datasets" },
      out: { type: "string", default: "pieces.jsonl" },
      tokenizer: { type: "string", default: fileURLToPath(new URL(TOKENIZER_FILE, ENCODER_FOLDER)) },
    },
    allowPositionals: true,
  });
  const sets = DATA_SETS.flatMap((name) => PARTS.map((part) => join(values.data, name, `${part}.jsonl.gz`)));
  const tokenizer = JSON.parse(readFileSync(values.tokenizer, "utf8")) as object;
  const { cut } = createVocabulary(tokenizer);
  const seen = new Set<string>();
  const out = createWriteStream(values.out);
  const write = (text: string): void => {
    if (seen.has(text)) return;
    seen.add(text);
    out.write(`${JSON.stringify({ text, ...flatten(cut(text)) })}\n`);
  };
  readWritten().forEach(({ text }) => write(text));
  for (const file of [...sets, ...positionals]) {
    for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
      write((JSON.parse(line) as { text: string }).text);
    }
    say(`${seen.size} texts after ${file}`);
  }
  await new Promise((resolve) => out.end(resolve));
};

const flatten = ({ ids, shapes }: Pieces): { ids: number[]; shapes: number[]; first: number[] } => {
  let count = 0;
  const first = ids.map((pieces) => (count += pieces.length) - pieces.length);
  return { ids: ids.flat(), shapes: ids.flatMap((pieces, at) => pieces.map(() => shapes[at] ?? 0)), first };
};

await main();
