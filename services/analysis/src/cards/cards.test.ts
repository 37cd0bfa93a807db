import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ANALYSES } from "../registry/analyses.js";
import { MODEL_CARDS, type ModelCard, type Score } from "./index.js";

/** Notes on words, pictures and sound. */
const PAGE = ["../../../../docs/models-notes.md", "../text/NOTES.md", "../vision/NOTES.md", "../media/NOTES.md"]
  .map((name) => readFileSync(new URL(name, import.meta.url), "utf8"))
  .join("\n");

/** Where the page says it: its section, and the beginnings of the points that a card repeats. */
const PLACES: Readonly<Record<string, readonly [section: string, use: string, data: string, limits: string]>> = {
  "sentiment-simple": ["sentiment-simple", "Use", "Data", "Known limits"],
  "sentiment-real": ["sentiment-real", "Use", "Data", "Known limits"],
  topic: ["topic", "Use", "Data", "Known limits"],
  "spam-detection": ["spam-detection", "Use", "Data", "Known limits"],
  "personality-mb": ["personality-mb", "Unvalidated.", "Data", "Known limits"],
  intention: ["intention", "Use", "Data", "Known limits"],
  "face-id": ["face-id", "Use", "Data and license", "Bias"],
  "object-id": ["object-id", "Use", "Method", "Errors"],
  "activity-id": ["activity-id", "Use", "Method", "Limits and bias"],
  "logo-id": ["logo-id", "Use", "Names", "Errors"],
  caption: ["caption", "Use", "Method", "False captions"],
  language: ["Language identification (`language`)", "Intended use", "Data", "Limits"],
  speech: ["Speech", "Use", "Model", "Other known limits"],
  reading: ["Reading words", "Use", "Method", "Unsupported scripts"],
};

function sectionOf(name: string): string {
  const section = PAGE.split(/^## /m).find((each) => each.startsWith(`${name}\n`));
  if (section === undefined) throw new Error(`the notes have no section ${name}`);
  return section;
}

/** Without links, emphasis and line breaks. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("**", "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** A point of a list, without its name if a colon follows that. */
function pointOf(section: string, name: string): string {
  const [, rest] = section.split(`\n- **${name}**`);
  const [point = ""] = (rest ?? "").split(/\n(?=- |\n|\|)/);
  return plain(point.startsWith(": ") ? point.slice(2) : `${name}${point}`);
}

/** The numbers of a text; percentages as shares, fractions as quotients. */
function numbersIn(text: string): number[] {
  const shares = [...text.matchAll(/(\d+) of (\d+)/g)].map(([, part, all]) => Number(part) / Number(all));
  const numbers = [...text.matchAll(/(\d*\.?\d+)( %)?/g)].map(
    ([, digits, percent]) => Number(digits) / (percent ? 100 : 1),
  );
  return [...shares, ...numbers];
}

const cellsOf = (line: string) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => plain(cell));

/** The lines in which the page may give a score: those with the words of the card. */
function linesFor({ analysis }: ModelCard, engine: string, { on }: Score): string[] {
  const [section = ""] = PLACES[analysis] ?? [];
  const [part = ""] = on.split(/, (?=development data, on which)/);
  if (on.endsWith("development data, on which the models were tuned")) {
    const row = part === on ? analysis : `${analysis}, ${part}`;
    return sectionOf("Scores")
      .split("\n")
      .filter((line) => cellsOf(line)[0] === row && cellsOf(line)[1] === engine);
  }
  return [section, "Probes"]
    .flatMap((name) => sectionOf(name).split(/\n(?!\n)/))
    .filter((line) => plain(line).includes(on));
}

const isAmong = (numbers: readonly number[], wanted: number) =>
  numbers.some((number) => Math.abs(number - wanted) < 0.0005);

describe.each(MODEL_CARDS)("the card of $analysis", (card) => {
  it("says of use, data and limits what the page says", () => {
    const [section = "", use = "", data = "", limits = ""] = PLACES[card.analysis] ?? [];
    const text = sectionOf(section);
    expect([card.use, card.data, card.knownLimits]).toEqual([use, data, limits].map((name) => pointOf(text, name)));
  });

  it("has scores that the page has", () => {
    for (const { engine, scores } of card.engines) {
      for (const score of scores) {
        const found = linesFor(card, engine, score).map((line) => numbersIn(line));
        const wanted = [score.value, ...(score.interval ?? [])];
        const said = found.some((numbers) => wanted.every((number) => isAmong(numbers, number)));
        expect(said, `${engine}: ${score.metric} ${score.value} of ${score.on}`).toBe(true);
      }
    }
  });
});

it("there is a card for every analysis, with every engine that ships with the product", () => {
  const shipped = [...Object.values(ANALYSES.textual), ...Object.values(ANALYSES.visual)].map(({ type, engines }) => [
    type,
    Object.keys(engines)
      .filter((engine) => engine !== "models")
      .sort(),
  ]);
  const carded = MODEL_CARDS.map(({ analysis, engines }) => [analysis, engines.map(({ engine }) => engine).sort()]);
  expect(carded).toEqual(expect.arrayContaining(shipped));
  expect(carded).toHaveLength(shipped.length + 3);
});

it("no score of the tables of scores and of probes is left out", () => {
  const scores = MODEL_CARDS.flatMap(({ engines }) => engines.flatMap((each) => each.scores));
  const rows = ["Scores", "Probes"].flatMap((name) =>
    sectionOf(name)
      .split("\n")
      .filter((line) => line.startsWith("|")),
  );
  const figures = rows.flatMap((line) => {
    const [first = "", second = "", ...others] = cellsOf(line);
    if (second === "accurate" || second === "fast") return others.slice(0, 3);
    return /^\d+$/.test(second) && first !== "" ? [others[0] ?? "", others[2] ?? ""] : [];
  });
  const values = figures.filter((figure) => figure !== "").map((figure) => numbersIn(figure)[0] ?? Number.NaN);
  expect(values.length).toBeGreaterThan(40);
  expect(
    values.filter(
      (value) =>
        !isAmong(
          scores.map((score) => score.value),
          value,
        ),
    ),
  ).toEqual([]);
});
