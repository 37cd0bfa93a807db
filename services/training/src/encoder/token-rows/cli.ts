import { parseArgs } from "node:util";
import { say } from "../../report.js";
import { makeTokenRows, writeTokenRows } from "./token-rows.js";
import { countRows } from "./count.js";
import { writeSilverInput } from "./silver.js";
import { collectTexts } from "./texts.js";
import { unerTokenRows } from "./uner.js";

/**
 * Creates the rows for the token heads in two steps, with `silver.py` between them:
 * `cli texts --data DIR --out texts.jsonl`, then
 * `cli rows --data DIR --silver silver.jsonl --out token-rows.jsonl.gz`. With `--uner DIR`, the rows of the multilingual
 * encoder also hold sentences of Universal NER.
 */
const main = (): void => {
  const { values, positionals } = parseArgs({
    options: {
      data: { type: "string", default: "datasets" },
      out: { type: "string" },
      silver: { type: "string", default: "silver.jsonl" },
      uner: { type: "string" },
    },
    allowPositionals: true,
  });
  if (positionals[0] === "texts") {
    const texts = collectTexts(values.data);
    writeSilverInput(texts, values.out ?? "silver-texts.jsonl");
    say(`${texts.length} texts`);
    return;
  }
  const foreign = values.uner === undefined ? [] : unerTokenRows(values.uner);
  const rows = [...makeTokenRows(values.data, values.silver), ...foreign];
  writeTokenRows(rows, values.out ?? "token-rows.jsonl.gz");
  for (const line of countRows(rows)) say(line);
};

main();
