import fc from "fast-check";
import { allOf, anyOf, type Expression, printExpression, type Query } from "../ast.js";
import type { SearchedTexts } from "../matcher.js";

/** Few and short, so that random texts often match random queries. */
const WORDS = ["kestrel", "phone", "café", "東京", "e-mail", "OR", "lang:en", "🔥", "o'clock", "l'heure", "b"];
const NAMES = ["kestrel", "kestrel_eg", "phone"];

const atom: fc.Arbitrary<Expression> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("word" as const), text: fc.constantFrom(...WORDS) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("phrase" as const),
      text: fc
        .array(fc.constantFrom(...WORDS, "a,", "(b)"), { minLength: 1, maxLength: 3 })
        .map((words) => words.join(" ")),
    }),
  },
  fc.record({ kind: fc.constant("prefix" as const), text: fc.constantFrom("kes", "phon", "caf") }),
  fc.record({ kind: fc.constant("tag" as const), name: fc.constantFrom(...NAMES) }),
  fc.record({ kind: fc.constant("mention" as const), name: fc.constantFrom(...NAMES) }),
);

/** Expressions as a parser makes them: with something that must occur in each term and alternative. */
const expression: fc.Arbitrary<Expression> = fc.letrec<{ term: Expression; required: Expression }>((tie) => ({
  required: fc.oneof(
    { maxDepth: 3 },
    atom,
    tie("term"),
    fc.array(tie("required"), { minLength: 2, maxLength: 3 }).map(anyOf),
  ),
  term: fc
    .tuple(fc.array(tie("required"), { minLength: 1, maxLength: 3 }), fc.array(tie("required"), { maxLength: 2 }))
    .map(([required, excluded]) => {
      const exclusions = excluded.map((operand) => ({ kind: "not" as const, operand }));
      return allOf([...required, ...exclusions]);
    }),
})).term;

/** Queries of up to three terms, short enough to be written down. */
export const queries: fc.Arbitrary<Query> = fc
  .array(expression, { minLength: 1, maxLength: 3 })
  .map((expressions) => ({ terms: expressions.map((each) => ({ text: printExpression(each), expression: each })) }))
  .filter(({ terms }) => terms.map(({ text }) => text).join(", ").length <= 500);

const TEXT_WORDS = [
  ...WORDS,
  "kestrels",
  "phones",
  "Kestrel's",
  "Kestrel'un",
  "phone’da",
  "l’kestrel",
  "heure",
  "CAFE",
  "a",
  "#kestrel",
  "@kestrel_eg",
  "#phone",
  "-",
];

/** Texts in which random queries often occur. */
export const texts: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...TEXT_WORDS), { maxLength: 12 })
  .map((words) => words.join(" "));

/** Keywords of at most 500 characters, many of which a URL can hold only in a longer form. */
export const wideKeywords: fc.Arbitrary<string> = fc
  .array(fc.string({ unit: fc.constantFrom("a", "é", "東", "🔥", "'", "-"), minLength: 1, maxLength: 40 }), {
    minLength: 1,
    maxLength: 10,
  })
  .map((words) => words.map((each) => `"${each}x"`).join(", "));

export const postings: fc.Arbitrary<SearchedTexts> = fc.record({
  title: texts,
  text: texts,
  tags: fc.array(fc.constantFrom(...NAMES), { maxLength: 2 }),
  mentions: fc.array(fc.constantFrom(...NAMES), { maxLength: 2 }),
});
