import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { modelFolder } from "./classifier.js";
import { CARD_FILE, WEIGHTS_FILE } from "../../models/shipped.js";
import { readModel } from "./model.js";

describe("readModel", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "hourglass-model-"));
    cpSync(modelFolder("spam-detection"), folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = () => readModel(pathToFileURL(`${folder}/`));

  it("reads a whole model", () => {
    expect(read().card.labels).toEqual(["spam", "ham"]);
  });

  it("names a model whose weights are damaged", () => {
    const file = join(folder, WEIGHTS_FILE);
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    expect(read).toThrow(/model of spam-detection is damaged: weights.bin.gz has checksum/);
  });

  it("names a file that is missing", () => {
    rmSync(join(folder, WEIGHTS_FILE));
    expect(read).toThrow(/cannot read the model file .*weights\.bin\.gz/);
  });

  it("refuses a model of another featurizer", () => {
    const file = join(folder, CARD_FILE);
    writeFileSync(file, readFileSync(file, "utf8").replace(/"featurizer": \d+/, '"featurizer": 0'));
    expect(read).toThrow(/featurizer 0.*train it again/);
  });
});
