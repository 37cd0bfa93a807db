import type { Token } from "@hourglass/analysis/topic";
import {
  type EntityEvidence,
  type Evidence,
  isNamed,
  isSure,
  listedSpans,
  overlaps,
  range,
  type TypedSpan,
} from "./entities.js";
import { listsOf } from "./gazetteer.js";
import { isRowType, type RowType } from "./tags.js";

/** Types with little or no gold data: a text is useful for training if it contains one of them. */
const RARE = new Set<RowType>(["NORP", "LANGUAGE", "LAW", "EVENT", "FAC", "LOC", "WORK_OF_ART", "PRODUCT"]);

/**
 * The entities of a text without gold labels, or undefined if it contains no certain entity of a rare type. Spans are
 * certain if the silver labeller and word lists agree, or if the stricter criteria of either are met; the labels of
 * other names are left open.
 */
export function silverEntities(evidence: Evidence, isNews: boolean): EntityEvidence | undefined {
  const { tokens, silver } = evidence;
  if (isShouting(tokens)) return undefined;
  const listed = listedSpans(tokens);
  const said = silver.ents.flatMap(([from, to, type]): TypedSpan[] => {
    const { first, last } = trim(tokens, from, to);
    return isRowType(type) && isNamed(tokens, { first, last }) ? [{ first, last, types: [type] }] : [];
  });
  const agreed = said
    .filter((span) => isAgreed(tokens, span) || (isNews && isPlainName(tokens, span)))
    .filter((span) => !isPartOfName(tokens, span));
  const trusted = listed.filter((span) => isSure(tokens, span) && !overlaps(agreed, span) && !reachesPast(said, span));
  const sure = [...agreed, ...trusted]
    .map((span) => withNumber(tokens, span))
    .filter(({ first, last }) => !range(first, last).some((at) => isHandle(tokens[at])));
  if (!sure.some(({ types }) => types.some((type) => RARE.has(type)))) return undefined;
  return { sure, unsure: [...doubtful(tokens, [...said, ...listed]), ...unexplained(tokens)] };
}

/** Articles, possessive endings and marks around a name do not belong to it. */
function trim(tokens: readonly Token[], from: number, to: number): { first: number; last: number } {
  let [first, last] = [from, to];
  while (first < last && /^(?:the|a|an|\p{P}+)$/u.test(tokens[first]?.lower ?? "")) first++;
  while (first < last && /^(?:'s|[\p{P}\p{S}]+)$/u.test(tokens[last]?.lower ?? "")) last--;
  return { first, last };
}

/** `Daniel Patrick` before `Moynihan`: another capitalised word is next to a person or an organisation. */
function isPartOfName(tokens: readonly Token[], { first, last, types: [type] }: TypedSpan): boolean {
  if (type !== "PERSON" && type !== "ORG") return false;
  const before = tokens[first - 1];
  const after = tokens[last + 1];
  const isName = (token?: Token): boolean =>
    token?.kind === "word" && /^\p{Lu}/u.test(token.text) && token.text !== "I";
  return (isName(before) && before?.initial !== true) || (isName(after) && after?.newLine === false);
}

/** `Galaxy Note 5`, `iPhone 6s`: a number after a product or a work belongs to its name. */
function withNumber(tokens: readonly Token[], span: TypedSpan): TypedSpan {
  const next = tokens[span.last + 1];
  const counts = span.types[0] === "PRODUCT" || span.types[0] === "WORK_OF_ART";
  return counts && next?.spaced && /^\d{1,3}[a-z]?$/i.test(next.text) ? { ...span, last: span.last + 1 } : span;
}

const isHandle = (token: Token | undefined): boolean => token?.kind === "mention" || token?.kind === "url";

function isShouting(tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind, text }) => kind === "word" && text.length > 2);
  return words.filter(({ text }) => /^\p{Lu}+$/u.test(text)).length > words.length / 3;
}

/** Whether word lists contain the span under the labeller's type. */
function isAgreed(tokens: readonly Token[], span: TypedSpan): boolean {
  const [type] = span.types;
  const listed = listedSpans(tokens.slice(span.first, span.last + 1));
  const whole = listed.find(({ first, last }) => first === 0 && last === span.last - span.first);
  if (type === "PERSON") {
    const lists = listsOf(tokens, span.first, span.first);
    return whole?.types.includes("PERSON") === true || (span.last > span.first && lists.has("first-names"));
  }
  return type !== undefined && whole?.types.includes(type) === true;
}

/** In edited prose, the labeller can be trusted with names of several capitalised words. */
function isPlainName(tokens: readonly Token[], { first, last, types: [type] }: TypedSpan): boolean {
  const capitals = range(first, last).filter((at) => /^\p{Lu}\p{Ll}/u.test(tokens[at]?.text ?? "")).length;
  if (type === "GPE" || type === "NORP") return capitals > 0;
  return (type === "PERSON" || type === "ORG") && capitals > 1 && capitals >= last - first;
}

/** `American` in `American Airlines`: the labeller found a longer name. */
function reachesPast(said: readonly TypedSpan[], { first, last }: TypedSpan): boolean {
  return said.some((span) => span.first <= last && first <= span.last && span.last - span.first > last - first);
}

/** Names that only one of the two finds: their tags are left open. */
function doubtful(tokens: readonly Token[], spans: readonly TypedSpan[]): TypedSpan[] {
  return spans
    .filter(({ first, last }) => first < last || tokens[first]?.known !== true || !tokens[first].initial)
    .map(({ first, last }) => ({ first, last, types: [] }));
}

/** Words capitalised like names that neither finds. */
function unexplained(tokens: readonly Token[]): TypedSpan[] {
  return tokens.flatMap(({ kind, text, known, initial }, at): TypedSpan[] => {
    const isName = kind === "hashtag" || (kind === "word" && /^\p{Lu}/u.test(text) && text !== "I" && !initial);
    return isName && !(known && text.length < 4) ? [{ first: at, last: at, types: [] }] : [];
  });
}
