import { fold } from "@hourglass/runtime/text";

/** As many as the contract allows in an import. */
const NAMES_MAX = 1_000;

const TAG = /(?<![\p{L}\p{M}\p{N}_/&#])[#＃](?=[\p{N}_]*[\p{L}\p{So}])([\p{L}\p{M}\p{N}_]{1,200})/gu;
const MENTION = /(?<![\p{L}\p{M}\p{N}_./@])[@＠]([\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.-]{0,98}[\p{L}\p{M}\p{N}_])?)/gu;

/** The tags of a text, without `#`; one in several spellings counts once. */
export function tagsIn(text: string | undefined): string[] {
  return hasOne(text, "#", "＃") ? namesIn(text, TAG) : [];
}

/** The names that a text mentions, without `@`; one in several spellings counts once. */
export function mentionsIn(text: string | undefined): string[] {
  return hasOne(text, "@", "＠") ? namesIn(text, MENTION) : [];
}

/** The patterns look back at every character, which takes much longer than to look for the sign. */
function hasOne(text: string | undefined, sign: string, wideSign: string): boolean {
  return text !== undefined && (text.includes(sign) || text.includes(wideSign));
}

/** What the only group of a pattern captures in a text; a name in several spellings counts once. */
export function namesIn(text: string | undefined, pattern: RegExp): string[] {
  if (text === undefined) return [];
  const names = new Map<string, string>();
  for (const [, name = ""] of text.matchAll(pattern)) {
    const key = fold(name);
    if (!names.has(key)) names.set(key, name);
    if (names.size === NAMES_MAX) break;
  }
  return [...names.values()];
}

/** Limits of a query that is sent in a URL. */
export interface QueryLimits {
  /** Longest query of the platform. */
  readonly charactersMax: number;
  /** Characters of a URL, of 2,048, that the encoded query may take. */
  readonly encodedMax: number;
}

/**
 * The length of a query in characters of the platform; more if it needs a larger part of its URL, as letters of several
 * bytes do, than of the platform's limit.
 */
export function queryLength(query: string, { charactersMax, encodedMax }: QueryLimits): number {
  const encoded = new URLSearchParams({ q: query }).toString().length - "q=".length;
  return Math.max([...query].length, Math.ceil(encoded * (charactersMax / encodedMax)));
}
