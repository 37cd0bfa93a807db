import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CARD_FILE, WEIGHTS_FILE } from "../../models/shipped.js";
import { LANGUAGE_MODEL_FOLDER, readLanguageModel } from "./model.js";

describe("readLanguageModel", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "hourglass-language-"));
    cpSync(LANGUAGE_MODEL_FOLDER, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = () => readLanguageModel(pathToFileURL(`${folder}/`));
  const alterCard = (from: RegExp, to: string): void => {
    const file = join(folder, CARD_FILE);
    writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
  };

  it("reads a whole model", () => {
    expect(read().card.labels).toHaveLength(75);
  });

  it("names weights that are damaged", () => {
    const file = join(folder, WEIGHTS_FILE);
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    expect(read).toThrow(/language model is damaged: weights.bin.gz has checksum/);
  });

  it("names a file that is missing", () => {
    rmSync(join(folder, WEIGHTS_FILE));
    expect(read).toThrow(/cannot read the model file .*weights\.bin\.gz/);
  });

  it("refuses a model of another reader, and one whose labels do not fit", () => {
    alterCard(/"zu"\s*\]/, '"zu", "xx"]');
    expect(read).toThrow(/number of labels differs/);
    alterCard(/"featurizer": \d+/, '"featurizer": 0');
    expect(read).toThrow(/featurizer 0.*train it again/);
  });
});
