import { contractLabels } from "@hourglass/analysis/training";
import { expect, it } from "vitest";
import { lettersOf } from "./datasets.js";
import { readProbes } from "./probes.js";
import { foreignSamples, readWritten, readWrittenForUpperLayers, readWrittenSpam } from "./written-rows.js";

it("has a text and known labels in every row", () => {
  for (const { text, labels } of [...readWritten(), ...readWrittenForUpperLayers()]) {
    expect(text).not.toBe("");
    for (const [analysis, label] of Object.entries(labels)) {
      expect(contractLabels(analysis as keyof typeof labels), text).toContain(label);
    }
  }
});

it("repeats no row of the probes", () => {
  const probes = new Set(readProbes().flatMap(({ rows }) => rows.map(({ text }) => lettersOf(text))));
  const repeated = [...readWritten(), ...readWrittenForUpperLayers()].filter(
    ({ text }) => probes.has(lettersOf(text)) && lettersOf(text) !== "",
  );
  expect(repeated.map(({ text }) => text)).toEqual([]);
});

it("holds an eighth of the rows in other languages out", () => {
  const foreign = readWritten().filter(({ language, labels }) => language !== "en" && labels.intention !== undefined);
  const share = foreignSamples("intention").length / foreign.length;
  expect(share).toBeGreaterThan(0.1);
  expect(share).toBeLessThan(0.14);
});

it("fills every slot of the rows written for spam detection, the same way each time", () => {
  const samples = readWrittenSpam("train");
  for (const { text, shares } of samples) {
    expect(text).not.toMatch(/[{}]|^\s*$/);
    expect(contractLabels("spam-detection")).toContain(Object.keys(shares)[0]);
  }
  expect(readWrittenSpam("train")).toEqual(samples);
});

it("keeps all fillings of a held-out row out of training", () => {
  const trained = new Set(readWrittenSpam("train").map(({ text }) => text));
  const held = readWrittenSpam("dev");
  expect(held.length).toBeGreaterThan(100);
  expect(held.filter(({ text }) => trained.has(text))).toEqual([]);
});

it("fills every slot of the rows written for upper layers, the same way each time", () => {
  const rows = readWrittenForUpperLayers();
  for (const { text } of rows) expect(text).not.toMatch(/[{}]/);
  expect(readWrittenForUpperLayers()).toEqual(rows);
});

it("holds a fifth of the rows written for upper layers out", () => {
  const rows = readWrittenForUpperLayers();
  const share = rows.filter(({ part }) => part === "dev").length / rows.length;
  expect(share).toBeGreaterThan(0.17);
  expect(share).toBeLessThan(0.23);
});
