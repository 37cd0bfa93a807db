import { describe, expect, it } from "vitest";
import type { Entity } from "../../text/gazetteers.js";
import { tagText } from "../../text/tokens.js";
import { MULTILINGUAL, type Trust, trustedIn } from "./topic-languages.js";

/** The entities of a text that are trusted in a language; each is one word or a phrase of it. */
const trusted = (text: string, found: readonly (readonly [string, Entity["type"], number?])[], trust?: Trust) => {
  const tokens = tagText(text);
  const entities = found.map(([name, type, prob]): Entity => {
    const start = text.indexOf(name);
    const first = tokens.findIndex((token) => token.start === start);
    const last = tokens.findIndex(({ end }) => end === start + name.length);
    return { first, last, type, ...(prob === undefined ? {} : { prob }) };
  });
  const language = { code: "de", prob: 1 };
  const { annotation, chunks } = trustedIn(language, { text, tokens, entities, chunks: [] }, trust);
  expect(chunks).toBe(trust === MULTILINGUAL ? "any" : "none");
  return annotation.entities.map(({ first, last }) => text.slice(tokens[first]?.start, tokens[last]?.end));
};

describe("entities in languages other than English", () => {
  it("are those of which the multilingual encoder is sure", () => {
    const found = [
      ["Zorblax", "PERSON", 0.6],
      ["Qorvex", "ORG", 0.3],
    ] as const;
    expect(trusted("Heute traf Zorblax Leute von Qorvex", found, MULTILINGUAL)).toEqual(["Zorblax"]);
    expect(trusted("Heute traf Zorblax Leute von Qorvex", found)).toEqual([]);
  });

  it("are those on a list of their type", () => {
    const found = [
      ["Lidl", "ORG", 0.1],
      ["Essen", "GPE", 0.1],
      ["Buenos Aires", "GPE", 0.1],
    ] as const;
    expect(trusted("Lidl liefert Essen nach Buenos Aires", found, MULTILINGUAL)).toEqual(["Lidl", "Buenos Aires"]);
    expect(trusted("Lidl liefert", [["Lidl", "PERSON", 0.1]], MULTILINGUAL)).toEqual([]);
    expect(trusted("Lidl liefert nach Berlin", [["Berlin", "GPE"]])).toEqual(["Berlin"]);
  });

  it("are written with a capital where the script has capitals, and surer where it has none", () => {
    expect(trusted("wir trafen zorblax", [["zorblax", "PERSON", 0.95]], MULTILINGUAL)).toEqual([]);
    expect(trusted("я видел Москву", [["Москву", "GPE", 0.36]], MULTILINGUAL)).toEqual(["Москву"]);
    expect(trusted("في القاهرة", [["القاهرة", "GPE", 0.45]], MULTILINGUAL)).toEqual(["القاهرة"]);
    expect(trusted("في القاهرة", [["القاهرة", "GPE", 0.36]], MULTILINGUAL)).toEqual([]);
  });
});
