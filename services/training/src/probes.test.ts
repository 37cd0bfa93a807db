import { CLASSIFYING_ANALYSES } from "@hourglass/analysis";
import { contractLabels } from "@hourglass/analysis/training";
import { describe, expect, it } from "vitest";
import { acceptedLabels, groupOf, readProbes } from "./probes.js";

/** The least rows of a set; 200 for those not named. */
const ROWS_MIN: Readonly<Record<string, number>> = {
  sarcasm: 20,
  short: 60,
  "comparison-slang-facts": 90,
  "apologies-and-forecasts": 40,
  "clear-sentences": 24 * 26,
};
const GROUP_MIN: Readonly<Record<string, number>> = { "self-emotions": 20, intention: 15, "clear-sentences": 26 };
const FIELDS = new Set("id text group lang label pair same_as at_most sentiment emotion intention spam".split(" "));

const sets = readProbes();

describe.each(sets)("the probes $name", (set) => {
  const { name, analyses, rows } = set;
  const byId = new Map(rows.map((row) => [row.id, row]));

  it("are enough, in every group", () => {
    expect(rows.length).toBeGreaterThanOrEqual(ROWS_MIN[name] ?? 200);
    for (const group of new Set(rows.map(groupOf))) {
      expect(group).not.toBe("");
      const own = rows.filter((row) => groupOf(row) === group);
      expect(own.length, group).toBeGreaterThanOrEqual(GROUP_MIN[name] ?? 1);
    }
  });

  it("have only known fields, a text and something to expect", () => {
    for (const row of rows) {
      expect(Object.keys(row).filter((field) => !FIELDS.has(field))).toEqual([]);
      expect(row.text, row.id).toBe(row.text.trim().normalize("NFC"));
      expect(row.text, row.id).not.toBe("");
      const labeled = analyses.some((analysis) => acceptedLabels(row, set, analysis).length > 0);
      const expectations = [labeled, row.same_as !== undefined, row.at_most !== undefined];
      expect(expectations.filter(Boolean).length, row.id).toBe(1);
      if (row.at_most !== undefined) expect(row.at_most).toBeGreaterThan(0.3);
    }
  });

  it("have labels of the contract", () => {
    for (const analysis of CLASSIFYING_ANALYSES) {
      if (!analyses.includes(analysis)) continue;
      const known = contractLabels(analysis);
      for (const row of rows)
        for (const label of acceptedLabels(row, set, analysis)) expect(known, row.id).toContain(label);
    }
  });

  it("refer to rows of the set: pairs to each other, invariances to labeled rows", () => {
    for (const row of rows) {
      if (row.pair !== undefined) expect(byId.get(row.pair)?.pair, row.id).toBe(row.id);
      if (row.same_as !== undefined) expect(byId.get(row.same_as)?.label, row.id).toBeDefined();
    }
  });
});

describe("all probes", () => {
  const rows = sets.flatMap((set) => set.rows);
  const repeated = (values: readonly string[]): string[] => values.filter((value, at) => values.indexOf(value) !== at);

  it("have their own id and text", () => {
    expect(repeated(rows.map(({ id }) => id))).toEqual([]);
    expect(repeated(rows.map(({ text }) => text.toLowerCase()))).toEqual([]);
  });

  it("cover each language with sentiments, emotions, intentions and spam", () => {
    const clear = rows.filter(({ lang }) => lang !== undefined);
    const languages = [...new Set(clear.map(({ lang }) => lang))];
    expect(languages.length).toBeGreaterThanOrEqual(24);
    for (const language of languages) {
      const own = clear.filter(({ lang }) => lang === language);
      const count = (sentiment: string): number => own.filter((row) => row.sentiment === sentiment).length;
      expect(["positive", "negative", "neutral"].map(count), language).toEqual([9, 9, 6]);
      expect(own.filter(({ emotion }) => emotion !== undefined).length, language).toBeGreaterThanOrEqual(10);
      expect(own.filter(({ intention }) => intention !== undefined).length, language).toBeGreaterThanOrEqual(10);
      expect(own.filter(({ spam }) => spam).length, language).toBe(2);
    }
  });
});
