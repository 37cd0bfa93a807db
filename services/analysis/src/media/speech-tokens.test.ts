import { expect, it } from "vitest";
import { readBinaryTokenizer, readJsonTokenizer, readVocabulary } from "./speech-tokens.js";

const pieces = ["<unk>", "<s>", "</s>", "\u2581Hello", ",", "\u2581", "w", "orld", "<<ST_0>>"];
const bytes = new TextEncoder();
const binary = Uint8Array.from([
  ...pieces.flatMap((piece) => [bytes.encode(piece).length, ...bytes.encode(piece)]),
  // A two-byte letter as two tokens, and a token longer than 127 bytes.
  ...[1, 0xc3, 1, 0xa9],
  ...[0x80 | (200 & 127), 200 >> 7, ...bytes.encode("x".repeat(200))],
]);

it("reads tokens of a file of bytes", () => {
  const { text } = readBinaryTokenizer(binary);
  expect(text([1, 3, 4, 5, 6, 7, 9, 10, 2, 8])).toBe("Hello, worldé");
  expect(text([11])).toBe("x".repeat(200));
});

it("knows nothing of tokens that do not exist", () => {
  expect(readBinaryTokenizer(binary).text([3, 999])).toBe("Hello");
});

it("refuses a file that was cut", () => {
  expect(() => readBinaryTokenizer(binary.subarray(0, -1))).toThrow(RangeError);
});

it("reads a vocabulary of Hugging Face", () => {
  const json = {
    model: { vocab: { "<s>": 0, "\u2581Hello": 1, "<0xC3>": 2, "<0xA9>": 3 } },
    added_tokens: [
      { id: 0, content: "<s>", special: true },
      { id: 4, content: "<|end|>", special: true },
    ],
  };
  expect(readJsonTokenizer(JSON.stringify(json)).text([0, 1, 2, 3, 4])).toBe("Helloé");
  expect(() => readJsonTokenizer("{}")).toThrow(TypeError);
});

it("reads a vocabulary in which bytes are spelled as letters", () => {
  const { text } = readVocabulary(JSON.stringify(["ĠAdi", "Ã³s", ",", "Ġ", "Ð¿ÑĢÐ¸", "Ð", "²"]));
  expect(text([0, 1, 2, 3, 4, 5, 6, 99])).toBe("Adiós, прив");
});
