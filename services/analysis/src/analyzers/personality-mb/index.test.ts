import { describe, expect, it } from "vitest";
import { createDocument } from "../../document.js";
import { createPersonality } from "./index.js";

const analyzer = createPersonality();
const analyze = (text: string) => analyzer.analyze(createDocument(text), { explain: false });
const probabilities = ({ prob1, prob2, prob3, prob4 }: ReturnType<typeof analyze>) => [prob1, prob2, prob3, prob4];

const PARTY =
  "Such an amazing party with all my friends last night! Love you guys, let's celebrate again with the family! ";
const THEORY =
  "The theory suggests that consciousness is an abstract pattern; perhaps the universe is a hypothesis which we interpret through language, art and philosophy, alone in a library. ";
const CHORES =
  "I need to finish the project plan today, then the schedule for Monday, clean the kitchen and pay the bills before the deadline tomorrow morning. ";
const QUARREL =
  "This is damn stupid. The data prove that the argument is wrong, therefore the system is inefficient. Whatever, I forgot it again, random crap. ";

describe("personality-mb", () => {
  it("says what is most common in the population about a text that says nothing", () => {
    for (const text of ["", "😂😂", "hi", "\ud800"]) {
      expect(analyze(text)).toEqual({ value: "ISFJ", prob1: 0.507, prob2: 0.733, prob3: 0.598, prob4: 0.541 });
    }
  });

  it("leans the way published findings do", () => {
    expect(analyze(PARTY.repeat(20)).value).toMatch(/^E.F/);
    expect(analyze(THEORY.repeat(60)).value).toMatch(/^IN/);
    expect(analyze(QUARREL.repeat(60)).value).toMatch(/TP$/);
    expect(analyze(CHORES.repeat(60)).value).toMatch(/S.J$/);
  });

  it("grows more certain with more of the same words, and stays well below certainty", () => {
    let before = analyze(PARTY).prob1;
    for (const times of [2, 5, 10, 20]) {
      const { prob1 } = analyze(PARTY.repeat(times));
      expect(prob1).toBeGreaterThan(before);
      before = prob1;
    }
    for (const text of [PARTY, THEORY, QUARREL, CHORES]) {
      expect(Math.max(...probabilities(analyze(text.repeat(5_000))))).toBeLessThanOrEqual(0.8);
    }
  });

  it("keeps a short text within a few points of the population", () => {
    const [focus = 0] = probabilities(analyze("Party with friends!"));
    expect(Math.abs(focus - 0.5)).toBeLessThan(0.03);
  });

  it("gives each letter at least an even chance, with four decimals at most", () => {
    for (const text of [PARTY, THEORY, QUARREL, CHORES, `${PARTY}${THEORY}`]) {
      for (const probability of probabilities(analyze(text.repeat(7)))) {
        expect(probability).toBeGreaterThanOrEqual(0.5);
        expect(probability).toBe(Number(probability.toFixed(4)));
      }
    }
  });

  it("is blind to the names of types", () => {
    const named = `I am an INFP, she is ENTJ-a, two estps and an istj. ${THEORY}`;
    const plain = `I am an , she is , two and an . ${THEORY}`;
    expect(analyze(named)).toEqual(analyze(plain));
  });

  it("does not judge other languages", () => {
    expect(analyze("Quiero ir a la playa con mis amigos este fin de semana. ".repeat(200))).toEqual(analyze(""));
  });

  // Quadratic work would run into the time limit of the test.
  it("reads several megabytes of pooled texts", () => {
    for (const text of [`${PARTY}\n${THEORY}\n`.repeat(20_000), "a".repeat(3_000_000), "?!".repeat(1_500_000)]) {
      expect(analyze(text).value).toMatch(/^[EI][SN][TF][JP]$/);
    }
  });
});
