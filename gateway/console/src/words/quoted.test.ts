import { expect, it } from "vitest";
import { quoted } from "./quoted.js";

it("takes away what turns around the rest of a sentence", () => {
  expect(`“${quoted("invoice\u202Egnp.exe\u2069\u202E")}” is deleted.`).toBe("“invoicegnp.exe” is deleted.");
});

it("sets apart what is written from right to left", () => {
  expect(quoted("שלום")).toBe("\u2068שלום\u2069");
});

it("leaves all others as they are", () => {
  for (const text of ["", "Ann & Bob", "日本語 🙂"]) expect(quoted(text)).toBe(text);
});
