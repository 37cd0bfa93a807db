import { describe, expect, it } from "vitest";
import { tokenize } from "../../text/tokenizer.js";
import type { PartOfSpeech } from "../../text/tokens.js";
import { annotateEncoded } from "./accurate-topics.js";
import { ENCODER_POS, ENCODER_TAG_COUNT, encoderBeginTag, type TokenScores } from "./encoder-tags.js";
import type { EntityType } from "../../text/gazetteers.js";
import { topicsOf } from "./topics.js";

/** The encoder's output for one token: `New/PROPN:B-GPE<1>0`, where `<` and `>` precede the left and right reach. */
interface Said {
  pos: PartOfSpeech;
  tag?: string;
  left?: number;
  right?: number;
  /** Characters of the word before and after its noun. */
  before?: number;
  after?: number;
  /** Margin of the tag over "no entity". */
  margin?: number;
}

const SURE = 12;

const peak = (size: number, at: number, height = SURE): Float32Array => {
  const row = new Float32Array(size);
  row[at] = height;
  return row;
};

const tagIndex = (name: string): number =>
  encoderBeginTag(name.slice(2) as EntityType) + (name.startsWith("I-") ? 1 : 0);

const entityRow = ({ tag, margin = SURE }: Said): Float32Array => {
  const row = peak(ENCODER_TAG_COUNT, 0);
  if (tag !== undefined) row[tagIndex(tag)] = SURE + margin;
  return row;
};

const scoresOf = (said: readonly Said[]): TokenScores => ({
  entity: said.map(entityRow),
  pos: said.map(({ pos }) => peak(17, ENCODER_POS.indexOf(pos))),
  left: said.map(({ left = 0 }) => peak(8, left)),
  right: said.map(({ right = 0 }) => peak(4, right)),
  before: said.map(({ before = 0 }) => peak(3, before)),
  after: said.map(({ after = 0 }) => peak(6, after)),
});

const annotate = (text: string, said: readonly Said[]) => {
  const raw = tokenize(text);
  expect(raw, text).toHaveLength(said.length);
  const annotation = annotateEncoded(text, { tokens: raw, ...scoresOf(said) });
  const { tokens } = annotation;
  const slice = (first: number, last: number) => text.slice(tokens[first]?.start, tokens[last]?.end);
  return {
    annotation,
    entities: annotation.entities.map(({ first, last, type }) => `${slice(first, last)}/${type}`),
    chunks: annotation.chunks.map(({ first, last, head }) => `${slice(first, last)}/${head}`),
  };
};

describe("annotateEncoded", () => {
  it("reads names tag by tag, neighbors of one type apart", () => {
    const { entities } = annotate("Ana Lima met Bo", [
      { pos: "PROPN", tag: "B-PERSON" },
      { pos: "PROPN", tag: "I-PERSON" },
      { pos: "VERB" },
      { pos: "PROPN", tag: "B-PERSON" },
    ]);
    expect(entities).toEqual(["Ana Lima/PERSON", "Bo/PERSON"]);
  });

  it("never continues a name that has not begun, or with another type", () => {
    const lone = annotate("we saw Qorvex", [
      { pos: "PRON" },
      { pos: "VERB" },
      { pos: "PROPN", tag: "I-ORG", margin: 1 },
    ]);
    expect(lone.entities).toEqual([]);
    const mixed = annotate("Qorvex Zantu", [
      { pos: "PROPN", tag: "B-ORG" },
      { pos: "PROPN", tag: "I-PERSON", margin: 2 },
    ]);
    expect(mixed.entities).toEqual(["Qorvex/ORG"]);
  });

  it("says how sure it is of a name", () => {
    const { annotation } = annotate("Qorvex", [{ pos: "PROPN", tag: "B-ORG", margin: 3 }]);
    expect(annotation.entities[0]?.prob).toBeCloseTo(1 / (1 + Math.exp(-3)), 2);
  });

  it("lets word lists and patterns decide where the encoder is unsure, and not where it is sure", () => {
    const unsure = annotate("in Germany", [{ pos: "ADP" }, { pos: "PROPN", tag: "B-GPE", margin: -1 }]);
    expect(unsure.entities).toEqual(["Germany/GPE"]);
    const sure = annotate("in Germany", [{ pos: "ADP" }, { pos: "PROPN", tag: "B-ORG" }]);
    expect(sure.entities).toEqual(["Germany/ORG"]);
    const law = annotate("the Clean Rivers Act", [
      { pos: "DET" },
      ...["B-LAW", "I-LAW", "I-LAW"].map((tag): Said => ({ pos: "PROPN", tag, margin: -1 })),
    ]);
    expect(law.entities).toEqual(["Clean Rivers Act/LAW"]);
  });

  it("takes no handle, address or emoji for a name, and cuts what belongs to the sentence", () => {
    const { entities } = annotate("@ana saw Qorvex. 😀", [
      { pos: "PROPN", tag: "B-PERSON" },
      { pos: "VERB" },
      { pos: "PROPN", tag: "B-ORG" },
      { pos: "PUNCT", tag: "I-ORG" },
      { pos: "SYM", tag: "B-ORG" },
    ]);
    expect(entities).toEqual(["Qorvex/ORG"]);
  });

  it("makes a chunk of the last noun of each reach", () => {
    const { chunks } = annotate("the old house cats", [
      { pos: "DET" },
      { pos: "ADJ" },
      { pos: "NOUN", left: 2, right: 1 },
      { pos: "NOUN", left: 3 },
    ]);
    expect(chunks).toEqual(["the old house cats/NOUN"]);
  });

  it("keeps possessors, titles and numbers after a noun", () => {
    const { chunks } = annotate("Ana's phone and Section 7", [
      { pos: "PROPN" },
      { pos: "PART" },
      { pos: "NOUN", left: 2 },
      { pos: "CCONJ" },
      { pos: "NOUN", right: 1 },
      { pos: "NUM" },
    ]);
    expect(chunks).toEqual(["Ana/PROPN", "Ana's phone/NOUN", "Section 7/NOUN"]);
  });

  it("ends chunks at lines and at the ends of the text", () => {
    const { chunks } = annotate("big\nred car", [{ pos: "ADJ" }, { pos: "ADJ" }, { pos: "NOUN", left: 7, right: 3 }]);
    expect(chunks).toEqual(["red car/NOUN"]);
  });

  it("gives topics like the fast engine's", () => {
    const { annotation } = annotate("The Qorvex phone of Ana Lima died #CleanEnergy", [
      { pos: "DET" },
      { pos: "PROPN", tag: "B-ORG", left: 1, right: 1 },
      { pos: "NOUN", left: 2 },
      { pos: "ADP" },
      { pos: "PROPN", tag: "B-PERSON", right: 1 },
      { pos: "PROPN", tag: "I-PERSON", left: 1 },
      { pos: "VERB" },
      { pos: "PROPN" },
    ]);
    expect(topicsOf(annotation, { explain: true, chunks: "english" })).toEqual([
      { value: "Qorvex", topic_type: "entity", sub_type: "ORG", offsets: [{ start: 4, end: 10 }] },
      { value: "Ana Lima", topic_type: "entity", sub_type: "PERSON", offsets: [{ start: 20, end: 28 }] },
      { value: "Qorvex phone", topic_type: "noun-chunk", sub_type: "NOUN", offsets: [{ start: 4, end: 16 }] },
      { value: "Clean Energy", topic_type: "noun-chunk", sub_type: "NOUN", offsets: [{ start: 34, end: 46 }] },
    ]);
  });

  it("ends names at their own words: titles, states and legal forms", () => {
    const person = annotate("President Qorvex spoke", [
      { pos: "NOUN", tag: "B-PERSON" },
      { pos: "PROPN", tag: "I-PERSON" },
      { pos: "VERB" },
    ]);
    expect(person.entities).toEqual(["Qorvex/PERSON"]);
    const writer = annotate("Dr. Seuss spoke", [
      { pos: "PROPN", tag: "B-PERSON" },
      { pos: "PROPN", tag: "I-PERSON" },
      { pos: "VERB" },
    ]);
    expect(writer.entities).toEqual(["Dr. Seuss/PERSON"]);
    const places = annotate("San Francisco California", [
      { pos: "PROPN", tag: "B-GPE" },
      { pos: "PROPN", tag: "I-GPE" },
      { pos: "PROPN", tag: "I-GPE" },
    ]);
    expect(places.entities).toEqual(["San Francisco/GPE", "California/GPE"]);
    const company = annotate("Qorvex, Inc. pays", [
      { pos: "PROPN", tag: "B-ORG" },
      { pos: "PUNCT" },
      { pos: "PROPN", tag: "B-ORG" },
      { pos: "VERB" },
    ]);
    expect(company.entities).toEqual(["Qorvex, Inc./ORG"]);
  });

  it("joins an organization with what it is of", () => {
    const university = annotate("the University of Qorvex", [
      { pos: "DET" },
      { pos: "PROPN", tag: "B-ORG" },
      { pos: "ADP" },
      { pos: "PROPN", tag: "B-GPE" },
    ]);
    expect(university.entities).toEqual(["University of Qorvex/ORG"]);
    const center = annotate("US Storm Center", [
      { pos: "PROPN", tag: "B-GPE" },
      { pos: "PROPN", tag: "B-ORG" },
      { pos: "PROPN", tag: "I-ORG" },
    ]);
    expect(center.entities).toEqual(["US Storm Center/ORG"]);
    const shop = annotate("German Lidl", [
      { pos: "ADJ", tag: "B-NORP" },
      { pos: "PROPN", tag: "B-ORG" },
    ]);
    expect(shop.entities).toEqual(["German/NORP", "Lidl/ORG"]);
  });

  it("begins topics where their words begin", () => {
    const values = (text: string, said: readonly Said[]): string[] =>
      topicsOf(annotate(text, said).annotation, { explain: false, chunks: "english" }).map(({ value }) => value);
    const adjectives: Said[] = [{ pos: "CCONJ" }, { pos: "ADJ" }, { pos: "NOUN", left: 2 }];
    expect(values("and spare rooms", adjectives)).toEqual(["spare rooms"]);
    const brandNew: Said[] = [{ pos: "ADV" }, { pos: "ADJ" }, { pos: "NOUN", left: 2 }];
    expect(values("brand new rooms", brandNew)).toEqual(["new rooms"]);
    const verb: Said[] = [{ pos: "VERB" }, { pos: "DET" }, { pos: "ADJ" }, { pos: "NOUN", left: 3 }];
    expect(values("have the cheap rooms", verb)).toEqual(["cheap rooms"]);
    const compound: Said[] = [{ pos: "ADP" }, { pos: "PUNCT" }, { pos: "NOUN" }, { pos: "NOUN", left: 3 }];
    expect(values("on-site parking", compound)).toEqual(["on-site parking"]);
    const name: Said[] = [
      { pos: "PROPN", tag: "B-ORG" },
      { pos: "NOUN", left: 1 },
      { pos: "PROPN", tag: "B-PERSON", left: 2 },
    ];
    expect(values("Qorvex boss Ana", name)).toEqual(["Qorvex", "Ana", "Qorvex boss"]);
  });

  it("leaves out prefixes, particles and endings at the ends of a chunk", () => {
    const korean = annotate("불법 도박사이트는", [
      { pos: "NOUN", right: 1 },
      { pos: "NOUN", left: 1, after: 1 },
    ]);
    expect(korean.chunks).toEqual(["불법 도박사이트/NOUN"]);
    const city = annotate("서울에", [{ pos: "PROPN", tag: "B-GPE", after: 1 }]);
    expect(city.entities).toEqual(["서울/GPE"]);
    const arabic = annotate("بالجبهات الأمامية", [{ pos: "NOUN", right: 1, before: 1 }, { pos: "ADJ" }]);
    expect(arabic.chunks).toEqual(["الجبهات الأمامية/NOUN"]);
  });

  it("leaves out endings of names inside a chunk", () => {
    const turkish = annotate("Qorvex'in kahvesi", [
      { pos: "PROPN", tag: "B-ORG", right: 1 },
      { pos: "NOUN", left: 1 },
    ]);
    expect(turkish.entities).toEqual(["Qorvex/ORG"]);
    const korean = annotate("서울에서 만나요", [{ pos: "ADV", tag: "B-GPE" }, { pos: "VERB" }]);
    expect(korean.entities).toEqual(["서울/GPE"]);
  });

  it("keeps a word that would be nothing but its particle", () => {
    const { chunks } = annotate("는", [{ pos: "NOUN", after: 1 }]);
    expect(chunks).toEqual(["는/NOUN"]);
  });

  it("takes an empty text", () => {
    expect(annotate("", []).annotation).toMatchObject({ entities: [], chunks: [] });
  });
});
