import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TextDocument } from "../../types.js";
import { createDocument } from "../../text/document.js";
import { createPersonality } from "./personality-mb.js";

const analyzer = createPersonality();
const personalityOf = (document: TextDocument) => analyzer.analyze(document, { explain: false });
/** Always treated as English: language detection is not under test. */
const analyze = (text: string) =>
  personalityOf(Object.create(createDocument(text), { language: { value: { code: "en", prob: 1 } } }) as TextDocument);
const probabilities = ({ prob1, prob2, prob3, prob4 }: ReturnType<typeof analyze>) => [prob1, prob2, prob3, prob4];

const PARTY =
  "Such an amazing party with all my friends last night! Love you guys, let's celebrate again with the family! ";
const THEORY =
  "The theory suggests that consciousness is an abstract pattern; perhaps the universe is a hypothesis which we interpret through language, art and philosophy, alone in a library. ";
const CHORES =
  "I need to finish the project plan today, then the schedule for Monday, clean the kitchen and pay the bills before the deadline tomorrow morning. ";
const QUARREL =
  "This is damn stupid. The data prove that the argument is wrong, therefore the system is inefficient. Whatever, I forgot it again, random crap. ";
const BASE = { value: "ISFJ", prob1: 0.507, prob2: 0.733, prob3: 0.598, prob4: 0.541 };

/** The given number of posts with the same words, each in a different order: equal rates, but no repeated post. */
const posts = (text: string, count: number): string[] => {
  const words = text.trim().split(" ");
  let state = 7;
  const next = (below: number) => ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8) % below;
  return Array.from({ length: count }, () => {
    const left = [...words];
    return words.map(() => left.splice(next(left.length), 1)[0]).join(" ");
  });
};
const pooled = (text: string, count: number): string => posts(text, count).join("\n");

describe("personality-mb", () => {
  it("says what is most common in the population about a text that says nothing", () => {
    for (const text of ["", "😂😂", "hi", "\ud800"]) expect(analyze(text)).toEqual(BASE);
  });

  it("has evidence in many words of English, and in nothing else", () => {
    const evidence = (text: string) => analyzer.hasEvidence?.(createDocument(text));
    for (const text of ["", "😂😂", "ok", "lol nice", "so happy", "Paris London Berlin Rome Madrid Vienna"]) {
      expect(evidence(text)).toBe(false);
    }
    expect(evidence("Quiero ir a la playa con mis amigos este fin de semana")).toBe(false);
    expect(evidence("We had such a lovely time at the party with all of you")).toBe(false);
    expect(evidence(pooled(PARTY, 10))).toBe(true);
  });

  const ONCE = "I love going to parties and meeting new people every weekend, it gives me so much energy!";
  it.each([
    ["with nothing between", ONCE.repeat(150)],
    ["after commas", Array(150).fill(ONCE.replace("!", "")).join(", ")],
    ["after spaces", Array(150).fill(ONCE).join(" ")],
  ])("takes a sentence repeated %s for no more evidence than once", (_, text) => {
    const once = probabilities(analyze(ONCE));
    probabilities(analyze(text)).forEach((probability, axis) => expect(probability).toBeCloseTo(once[axis] ?? NaN, 2));
    expect(analyzer.hasEvidence?.(createDocument(text))).toBe(false);
  });

  it("leans the way published findings do", () => {
    expect(analyze(pooled(PARTY, 40)).value).toMatch(/^E.F/);
    expect(analyze(pooled(THEORY, 60)).value).toMatch(/^IN/);
    expect(analyze(pooled(QUARREL, 60)).value).toMatch(/TP$/);
    expect(analyze(pooled(CHORES, 60)).value).toMatch(/S.J$/);
  });

  // Directions reported by Pennebaker & King 1999, Mehl et al. 2006, Yarkoni 2010 and Schwartz et al. 2013.
  it.each([
    [
      "extraversion: company over solitude",
      "E",
      "we met our friends at the party",
      "I stayed at home with my computer",
    ],
    ["openness: ideas and articles over the everyday", "N", "the idea of the universe", "my lunch at work today"],
    ["agreeableness: warmth over anger", "F", "we love and thank our family", "I hate the stupid damn fight"],
    [
      "conscientiousness: plans over negation",
      "J",
      "I planned and finished all of it",
      "I don't know what I forgot, never mind",
    ],
  ] as const)("follows %s", (...[, letter, more, less]) => {
    const shareOf = (text: string) => {
      const { value, ...shares } = analyze(pooled(`${text} as it was and will be`, 30));
      const axis = ["E", "N", "F", "J"].indexOf(letter);
      const share = Object.values(shares)[axis] ?? 0;
      return value[axis] === letter ? share : 1 - share;
    };
    expect(shareOf(more)).toBeGreaterThan(shareOf(less) + 0.05);
  });

  it("grows more certain with more text of the same kind, and stays well below certainty", () => {
    for (const [text, axis] of [
      [PARTY, 0],
      [THEORY, 1],
      [QUARREL, 3],
      [CHORES, 3],
    ] as const) {
      const certainty = [1, 2, 5, 10, 20, 60, 200].map((count) => {
        const result = analyze(pooled(text, count));
        const toward = analyze(pooled(text, 400)).value[axis];
        const probability = probabilities(result)[axis] ?? 0;
        return result.value[axis] === toward ? probability : 1 - probability;
      });
      expect(certainty).toEqual([...certainty].sort((a, b) => a - b));
      expect(certainty.at(-1)).toBeLessThanOrEqual(0.8);
    }
  });

  it("keeps a short text within a few points of the population", () => {
    for (const text of [
      "Party with friends!",
      "I hate this damn stupid thing",
      "The universe is an abstract idea",
      PARTY,
    ]) {
      const { value } = analyze(text);
      probabilities(analyze(text)).forEach((probability, axis) => {
        const base = value[axis] === BASE.value[axis] ? (probabilities(BASE)[axis] ?? 0) : 0.5;
        expect(Math.abs(probability - base)).toBeLessThan(0.06);
      });
    }
  });

  it("counts a post that is repeated once, whatever address it comes with", () => {
    const other = posts(THEORY, 5).join("\n");
    expect(analyze(`${`${PARTY}\n`.repeat(100)}${other}`)).toEqual(analyze(`${PARTY}\n${other}`));
    const linked = Array.from({ length: 50 }, (_, i) => `${PARTY}http://t.co/${i} @friend${i}`).join("\n");
    expect(analyze(linked)).toEqual(analyze(PARTY));
  });

  it("leaves out what the writer passed on of others", () => {
    const own = posts(CHORES, 10).join("\n");
    for (const foreign of [
      `RT @someone: ${PARTY}`,
      `> ${PARTY}`,
      `RT: @a ${QUARREL}`,
      `"${PARTY.trim()}"`,
      `“${QUARREL.trim()}”`,
    ]) {
      expect(analyze(`${foreign}\n${own}\n${foreign}`)).toEqual(analyze(own));
    }
    expect(analyze(`Mine RT @someone: ${PARTY}\n${own}`)).toEqual(analyze(`Mine\n${own}`));
    expect(analyze(`my "dear friends" party\n${own}`)).not.toEqual(analyze(`my party\n${own}`));
  });

  it("does not depend on the order of the texts", () => {
    const all = [PARTY, THEORY, CHORES, QUARREL].flatMap((text) => posts(text, 6));
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(analyze(shuffled.join("\n"))).toEqual(analyze(all.join("\n")));
      }),
      { numRuns: repeats(10) },
    );
  });

  it("gives each letter at least an even chance, at most .8, with four decimals, whatever the text", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(PARTY, THEORY, CHORES, QUARREL, "\n", '"', "RT @a ", "?!"),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const result = analyze(pieces.join(""));
        expect(result.value).toMatch(/^[EI][SN][TF][JP]$/);
        for (const probability of probabilities(result)) {
          expect(probability).toBeGreaterThanOrEqual(0.5);
          expect(probability).toBeLessThanOrEqual(0.8);
          expect(probability).toBe(Number(probability.toFixed(4)));
        }
      }),
    );
  });

  it("is blind to the names of types", () => {
    const named = `I am an INFP, she is ENTJ-a, two estps and an istj. ${THEORY}`;
    const plain = `I am an , she is , two and an . ${THEORY}`;
    expect(analyze(named)).toEqual(analyze(plain));
  });

  it("does not read other languages", () => {
    const spanish = pooled("Quiero ir a la playa con mis amigos este fin de semana", 200);
    expect(analyze(spanish)).toEqual(BASE);
    expect(personalityOf(createDocument(spanish))).toEqual(BASE);
    expect(
      personalityOf(
        Object.create(createDocument(PARTY), { language: { value: { code: "de", prob: 1 } } }) as TextDocument,
      ),
    ).toEqual(BASE);
  });

  it("is not misled by the sentences of someone who writes in two languages", () => {
    const spanish = posts("Quiero ir a la playa con mis amigos este fin de semana", 30).join("\n");
    const english = posts(CHORES, 30).join("\n");
    expect(analyze(`${spanish}\n${english}`)).toEqual(analyze(english));
  });

  // Quadratic running time would exceed the time limit of the test.
  it("reads several megabytes of pooled texts", () => {
    const hostile = [
      "a".repeat(3_000_000),
      "?!".repeat(1_000_000),
      '"'.repeat(1_000_000),
      "“a ".repeat(500_000),
      "RT @a. ".repeat(300_000),
    ];
    for (const text of [`${PARTY}\n${THEORY}\n`.repeat(10_000), ...hostile]) {
      expect(analyze(text).value).toMatch(/^[EI][SN][TF][JP]$/);
    }
  });
});
