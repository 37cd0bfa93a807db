import type { RawToken } from "../tokenizer.js";

/** Consecutive tokens that are left out of a text together, from `from` up to, but excluding, `to`. */
export interface Unit {
  readonly from: number;
  readonly to: number;
}

/** The universal parts of speech of words that say little by themselves. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(["ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ"]);

/**
 * The units of a part of a text whose credit is asked for: each content word with its clitics, the function words before
 * it and the marks beside it, so that neither a comma nor "the" is ever a reason, and "not good" is one. `!` and `?`
 * belong to none: they always stay.
 */
export const unitsOf = (
  tokens: readonly RawToken[],
  partOfSpeech: (token: number) => string,
  { from, to }: Unit = { from: 0, to: tokens.length },
): Unit[] => {
  const units: Unit[] = [];
  /** Where what waits for its content word begins, and whether words are among it. */
  let open: number | undefined;
  let waiting = false;
  let clause = from;
  const close = (at: number): void => {
    const last = units.at(-1);
    if (open !== undefined && last?.to === open && last.from >= clause)
      units[units.length - 1] = { from: last.from, to: at };
    else if (open !== undefined && waiting) units.push({ from: open, to: at });
    [open, waiting] = [undefined, false];
  };
  for (let i = from; i < to;) {
    const end = wordEnd(tokens, i, to);
    const token = tokens[i];
    if (token?.newLine === true) {
      close(i);
      clause = i;
    }
    if (token?.kind === "punctuation" && FIXED.test(token.text)) {
      close(i);
      clause = end;
    } else if (isMark(token)) {
      const last = units.at(-1);
      const opens = token?.spaced === true && tokens[end]?.spaced === false;
      if (!opens) close(end);
      if (!opens && last?.to === i) units[units.length - 1] = { from: last.from, to: end };
      else if (opens) open ??= i;
      if (!opens) clause = end;
    } else if (FUNCTION_WORDS.has(partOfSpeech(i)) && token?.kind === "word") {
      open ??= i;
      waiting = true;
    } else {
      units.push({ from: open ?? i, to: end });
      [open, waiting] = [undefined, false];
    }
    i = end;
  }
  close(to);
  return units;
};

/** Always kept: they would take the credit from the words they stress. */
const FIXED = /^[!?]+$/;

/** The end of the word at a token: clitics such as `n't` and `'s` belong to it, and what follows an invisible mark. */
const wordEnd = (tokens: readonly RawToken[], at: number, to: number): number => {
  let end = at + 1;
  if (tokens[at]?.kind !== "word") return end;
  for (; end < to; end++) {
    const { kind, text, spaced, newLine } = tokens[end]!;
    if (spaced || newLine || (kind !== "word" && !INVISIBLE.test(text))) break;
  }
  return end;
};

const INVISIBLE = /^[\u200b-\u200d\u2060\u00ad]$/;

const isMark = (token: RawToken | undefined): boolean => token?.kind === "punctuation" || token?.kind === "symbol";

/** Joins neighbors to as many groups as may be, of about the same number of units each. */
export const groupEvenly = (units: readonly Unit[], count: number): Unit[][] => {
  const groups: Unit[][] = [];
  units.forEach((unit, i) => {
    const at = Math.floor((i * Math.min(count, units.length)) / units.length);
    (groups[at] ??= []).push(unit);
  });
  return groups;
};

/** From the first of consecutive units to the last. */
export const spanned = (group: readonly Unit[]): Unit => ({ from: group[0]?.from ?? 0, to: group.at(-1)?.to ?? 0 });

/** The UTF-16 range of a unit as it is shown: without the marks around it, and the words that only open its phrase. */
export const rangeOf = (
  tokens: readonly RawToken[],
  partOfSpeech: (token: number) => string,
  { from, to }: Unit,
): { start: number; end: number } => {
  let first = from;
  let last = to - 1;
  const isShown = (at: number): boolean => {
    const token = tokens[at];
    return !isMark(token) && (!OPENING.has(partOfSpeech(at)) || NEGATING.test(token?.text ?? ""));
  };
  while (first < last && !isShown(first)) first++;
  while (last > first && isMark(tokens[last])) last--;
  return { start: tokens[first]?.start ?? 0, end: tokens[last]?.end ?? 0 };
};

const OPENING: ReadonlySet<string> = new Set(["ADP", "CCONJ", "DET", "SCONJ"]);
/** Of these, those that turn the meaning of what follows, in the larger languages. */
const NEGATING =
  /^(?:no|without|neither|nor|kein\p{L}*|ohne|geen|zonder|sans|aucune?|ni|sin|ningun[ao]?|ningún|sem|nenhuma?|senza|nessun[oa]?|без|ні|ни)$/iu;

/** A text without some of its units, which are in order. */
export const textWithout = (text: string, tokens: readonly RawToken[], leftOut: readonly Unit[]): string => {
  let rest = "";
  let at = 0;
  for (const { from, to } of leftOut) {
    rest += text.slice(at, tokens[from]?.start ?? at);
    at = tokens[to - 1]?.end ?? at;
  }
  return rest + text.slice(at);
};
