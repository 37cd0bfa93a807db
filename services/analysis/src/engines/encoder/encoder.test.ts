import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TINY_CAPITALS_SCORE, TINY_SCORE, tinyLabels, writeTinyEncoder } from "../../testing/tiny-encoder.js";
import { tokenize } from "../../text/tokenizer.js";
import { createEncoder, type EncodedText, type Encoder } from "./encoder.js";
import { CARD_FILE } from "../../models/shipped-models.js";
import { ENCODER_WEIGHTS_FILE, TOKENIZER_FILE } from "./card.js";

let folder: URL;
let encoder: Encoder;
beforeAll(() => {
  folder = writeTinyEncoder();
  encoder = createEncoder(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const encode = async (text: string): Promise<EncodedText> => {
  const [encoded] = await encoder.encode([text]);
  if (encoded === undefined) throw new Error("nothing encoded");
  return encoded;
};
const scores = ({ logits }: EncodedText, task: keyof EncodedText["logits"]): Record<string, number> =>
  Object.fromEntries(tinyLabels(task).map((label, i) => [label, logits[task][i] ?? NaN]));

describe("encode", () => {
  it("scores the labels of every task", async () => {
    const encoded = await encode("Good food, good winner!");
    expect(scores(encoded, "sentiment-simple")).toMatchObject({ positive: 2 * TINY_SCORE, neutral: 0, negative: 0 });
    expect(scores(encoded, "intention")).toMatchObject({ valuation: 2 * TINY_SCORE, forecast: 0 });
    expect(scores(encoded, "spam-detection")).toEqual({ spam: TINY_SCORE, ham: 0 });
  });

  it("tells the network how words are written", async () => {
    expect(scores(await encode("the FOOD"), "sentiment-real")).toMatchObject({ anger: TINY_CAPITALS_SCORE });
    expect(scores(await encode("the Food"), "sentiment-real")).toMatchObject({ anger: 0 });
  });

  it("has one row per token, of its first piece", async () => {
    const { tokens, entity, pos } = await encode("longer Paris was longer good");
    expect(tokens.map(({ text }) => text)).toEqual(["longer", "Paris", "was", "longer", "good"]);
    expect(entity.map((row) => row.indexOf(TINY_SCORE))).toEqual([-1, 9, -1, -1, -1]);
    const words = pos.map((row) => row[1]);
    expect(new Set([words[0], words[3]]).size).toBe(1);
    expect(new Set(words).size).toBe(4);
  });

  it("says the same of a text alone and among others", async () => {
    const texts = [
      "good",
      "the food was awful but the winner was good. ".repeat(9),
      "",
      "FOOD! 😂",
      "hello Paris ".repeat(40),
    ];
    const together = await encoder.encode(texts);
    for (const [i, text] of texts.entries()) {
      const alone = await encode(text);
      expect(together[i]?.logits).toEqual(alone.logits);
      expect(together[i]?.left).toEqual(alone.left);
      expect(together[i]?.entity).toEqual(alone.entity);
    }
  });

  it("reads long texts to the end, every token once", async () => {
    const text = `${"the food was the food. ".repeat(900)}Paris was good`.slice(-20_000);
    const { tokens, entity, pos, left, right, windows, logits } = await encode(text);
    expect(tokens).toEqual(tokenize(text));
    expect([entity.length, pos.length, left.length, right.length]).toEqual(Array(4).fill(tokens.length));
    expect(entity.findIndex((row) => row[9] === TINY_SCORE)).toBe(tokens.length - 3);
    expect(windows.length).toBeGreaterThan(40);
    expect(Math.max(...left.map((row) => row[0] ?? 0))).toBeLessThanOrEqual(96);
    expect(logits["sentiment-simple"][tinyLabels("sentiment-simple").indexOf("positive")]).toBeGreaterThan(0);
  });

  it("is no surer of a long text than of its parts", async () => {
    const part = `good ${"the ".repeat(92)}. `;
    const [once, often] = [await encode(part), await encode(part.repeat(20))];
    expect(often.windows).toHaveLength(20);
    for (const [label, score] of Object.entries(scores(once, "sentiment-simple"))) {
      expect(scores(often, "sentiment-simple")[label]).toBeCloseTo(score, 5);
    }
  });

  it("weighs windows by their length", async () => {
    const { windows, logits } = await encode(`${"good ".repeat(93)}. ${"awful ".repeat(46)}.`);
    expect(windows.map(({ weight }) => weight)).toEqual([94, 47]);
    const labels = tinyLabels("sentiment-simple");
    expect(logits["sentiment-simple"][labels.indexOf("positive")]).toBeCloseTo((93 * TINY_SCORE * 94) / 141, 3);
    expect(logits["sentiment-simple"][labels.indexOf("negative")]).toBeCloseTo((46 * TINY_SCORE * 47) / 141, 3);
  });

  it.each([
    "",
    " \n\t",
    "😂",
    "👩‍👩‍👧‍👦🇩🇪",
    "good",
    "\ud800",
    "a\udfff\ud83d b",
    "\u0000",
    ".".repeat(500),
    "x".repeat(20_000),
    "的".repeat(5_000),
  ])("reads %j", async (text) => {
    const { tokens, entity, logits } = await encode(text);
    expect(entity).toHaveLength(tokens.length);
    for (const values of Object.values(logits)) expect([...values].every(Number.isFinite)).toBe(true);
  });

  it("gives nothing for nothing", async () => {
    expect(await encoder.encode([])).toEqual([]);
  });
});

describe("the encoder's folder", () => {
  const changed = (change: (path: (file: string) => string) => void): (() => Encoder) => {
    const copy = mkdtempSync(join(tmpdir(), "hourglass-encoder-"));
    cpSync(fileURLToPath(folder), copy, { recursive: true });
    change((file) => join(copy, file));
    return () => {
      try {
        return createEncoder(pathToFileURL(`${copy}/`));
      } finally {
        rmSync(copy, { recursive: true });
      }
    };
  };
  const editCard = (edit: (card: Record<string, unknown>) => void) =>
    changed((path) => {
      const card = JSON.parse(readFileSync(path(CARD_FILE), "utf8")) as Record<string, unknown>;
      edit(card);
      writeFileSync(path(CARD_FILE), JSON.stringify(card));
    });

  it.each([CARD_FILE, ENCODER_WEIGHTS_FILE, TOKENIZER_FILE])("needs %s", (file) => {
    expect(changed((path) => rmSync(path(file)))).toThrow(new RegExp(`cannot read .*${file}.*ENGINE_<ANALYSIS>=fast`));
  });

  it.each([ENCODER_WEIGHTS_FILE, TOKENIZER_FILE])("is refused when %s is damaged", (file) => {
    const open = changed((path) => {
      const bytes = readFileSync(path(file));
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(path(file), bytes);
    });
    expect(open).toThrow(new RegExp(`damaged: ${file} has checksum .*expected`));
  });

  it("is refused when it was written for other code", () => {
    expect(editCard((card) => (card["format"] = 2))).toThrow(/has format 2, this code reads 1/);
  });

  it.each(["version", "sha256", "tasks", "tags"])("is refused when the card lacks %s", (key) => {
    expect(editCard((card) => (card[key] = undefined))).toThrow(/is not a card of the encoder/);
  });

  it("is refused when the card is cut off", () => {
    const cut = (path: (file: string) => string) =>
      writeFileSync(path(CARD_FILE), readFileSync(path(CARD_FILE), "utf8").slice(0, 100));
    expect(changed(cut)).toThrow(/is not a card of the encoder/);
  });
});
