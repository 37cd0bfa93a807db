const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  nbsp: " ",
};

/** Everything outside printable ASCII and ordinary white space. */
const BEYOND_ASCII = /[^\t\n\r\x20-\x7e]/;

/** Variation selectors, skin tones and zero-width marks (except the joiner) change the appearance, not the meaning. */
const INVISIBLE = /\p{Variation_Selector}|\p{Emoji_Modifier}|\u200b|\u200c|\u2060|\ufeff|\u00ad/gu;

/** Simple HTML, as comment APIs return it; bounded, so that a lone `<` costs little. */
const TAG = /<\/?(?:a|b|br|i|p)\b[^<>]{0,300}>/gi;

/**
 * Unifies spellings that read the same: Unicode compatibility forms, curly quotes, HTML left by collectors. Case is
 * kept, because capitals are a signal. Ill-formed strings (lone surrogates) pass through unchanged.
 */
export const normalize = (text: string): string => {
  let plain = BEYOND_ASCII.test(text) ? fold(text) : text;
  if (plain.includes("<")) plain = plain.replace(TAG, " ");
  return plain.includes("&") ? plain.replace(ENTITY, entity) : plain;
};

const ENTITY = /&(amp|lt|gt|quot|apos|#39|nbsp);/g;

/** The first half of `normalize`. It never combines characters across ASCII white space. */
const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(/[\u2018\u2019\u201b\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u201e]/g, '"');

/** The character of an entity, as a replacer for `ENTITY`. */
const entity = (whole: string, name: string): string => ENTITIES[name] ?? whole;

/** A normalized text with the origin of its characters. */
interface Aligned {
  /** The result of `normalize`. */
  readonly plain: string;
  /** The original range of a non-empty part of `plain`; all in UTF-16 units, ends exclusive. */
  readonly rangeOf: (start: number, end: number) => { start: number; end: number };
}

/** Normalizes a text like `normalize` and tracks offsets; several times slower. */
export const align = (text: string): Aligned => {
  const builder = new Builder();
  if (BEYOND_ASCII.test(text)) foldRuns(text, builder);
  else builder.keep(text, 0);
  let aligned = builder.finish();
  if (aligned.plain.includes("<")) aligned = replaced(aligned, TAG, () => " ");
  if (aligned.plain.includes("&")) aligned = replaced(aligned, ENTITY, (match) => entity(match[0], match[1] ?? ""));
  return aligned;
};

/** Collects a text piece by piece, with the original range of each unit. */
class Builder {
  #plain = "";
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** Adds a piece with the whole range as the origin of each of its units. */
  add(piece: string, start: number, end: number): void {
    const from = this.#plain.length;
    this.#plain += piece;
    this.#starts.length = this.#ends.length = this.#plain.length;
    this.#starts.fill(start, from);
    this.#ends.fill(end, from);
  }

  /** Adds an unchanged piece of the text. */
  keep(piece: string, start: number): void {
    this.#plain += piece;
    for (let i = 0; i < piece.length; i++) {
      this.#starts.push(start + i);
      this.#ends.push(start + i + 1);
    }
  }

  /** Adds units of another aligned text with their ranges. */
  take(from: Aligned, start: number, end: number): void {
    for (let i = start; i < end; i++) {
      const range = from.rangeOf(i, i + 1);
      this.add(from.plain.charAt(i), range.start, range.end);
    }
  }

  finish(): Aligned {
    const [plain, starts, ends] = [this.#plain, this.#starts, this.#ends];
    return { plain, rangeOf: (start, end) => ({ start: starts[start] ?? 0, end: ends[end - 1] ?? 0 }) };
  }
}

/** Stretches that can be folded separately: nothing is composed across ASCII white space. */
const RUN = /[\t\n\r ]+|[^\t\n\r ]+/g;
/** The usual unit of folding: a character with its marks; jamo and half-width katakana are also combined. */
const CLUSTER = /(?:[\u1100-\u11ff]+|[^])[\p{M}\uff9e\uff9f]*/gu;

const foldRuns = (text: string, builder: Builder): void => {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (fold(run) === run) {
      builder.keep(run, index);
      continue;
    }
    const clusters = Array.from(run.matchAll(CLUSTER), (match) => ({ folded: fold(match[0]), match }));
    const whole = fold(run);
    if (clusters.map(({ folded }) => folded).join("") !== whole) {
      builder.add(whole, index, index + run.length);
      continue;
    }
    for (const { folded, match } of clusters) {
      const start = index + match.index;
      builder.add(folded, start, start + match[0].length);
    }
  }
};

const replaced = (from: Aligned, pattern: RegExp, replacement: (match: RegExpExecArray) => string): Aligned => {
  const builder = new Builder();
  let at = 0;
  for (const match of from.plain.matchAll(pattern)) {
    const end = match.index + match[0].length;
    builder.take(from, at, match.index);
    const range = from.rangeOf(match.index, end);
    builder.add(replacement(match), range.start, range.end);
    at = end;
  }
  builder.take(from, at, from.plain.length);
  return builder.finish();
};
