import { EMAIL_FORM, PERSON_FORM, URL_FORM, type Word } from "./words.js";

/** Names of the surface features, in the order `surface` writes them. */
export const SURFACE_FEATURES = [
  "always",
  "negations",
  "capitals",
  "all-capitals",
  "exclamations",
  "questions",
  "elongations",
  "length",
  "urls",
  "people",
  "numbers",
  "long-numbers",
  "money",
  "symbols",
  "ends-with-question",
];

/** Writes counts of conspicuous elements of a text, each scaled to 0 to 1, into `target`, from `offset` on. */
export const surface = (found: readonly Word[], target: Float32Array, offset: number): void => {
  const count = (matches: (word: Word) => boolean): number =>
    found.reduce((sum, word) => sum + (matches(word) ? 1 : 0), 0);
  const letters = count(({ kind }) => kind === "word");
  const capitals = count((word) => word.capitals);
  target.set(
    [
      1,
      squeeze(count(({ negated }) => negated)),
      squeeze(capitals),
      letters > 2 && capitals > letters * 0.6 ? 1 : 0,
      squeeze(count(({ form }) => form.startsWith("!") || form === "?!")),
      squeeze(count(({ form }) => form.startsWith("?"))),
      squeeze(count(({ elongated }) => elongated)),
      Math.min(1, Math.log1p(found.length) / 5),
      squeeze(count(({ form }) => form === URL_FORM || form === EMAIL_FORM)),
      squeeze(count(({ form }) => form === PERSON_FORM)),
      squeeze(count(({ form }) => form.startsWith("0"))),
      squeeze(count(({ form }) => form.startsWith("00000"))),
      squeeze(count(({ form }) => form === "£" || form === "$" || form === "€")),
      squeeze(count(({ kind, form }) => kind === "mark" && form.length === 1)),
      found.at(-1)?.form.startsWith("?") === true ? 1 : 0,
    ],
    offset,
  );
};

const squeeze = (count: number): number => count / (count + 2);
