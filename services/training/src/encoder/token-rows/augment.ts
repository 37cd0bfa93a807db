import { entriesOf, type Gazetteer, tagText, type Token } from "@hourglass/analysis/topic";
import { createRandom } from "../../random.js";
import type { EntityEvidence, TypedSpan } from "./entities.js";
import { spelt } from "./spelling.js";
import type { RowType } from "./tags.js";

/** A text with its entities. */
export interface AugmentedRow {
  readonly text: string;
  readonly source: string;
  readonly tokens: readonly Token[];
  readonly evidence: EntityEvidence;
  readonly weight: number;
}

const SEED = 23;
/** Share of the names that are replaced. */
const RENAMED = 0.75;
/** Number of copies of a row, by its rarest entity type: rare types need more names than there are texts. */
const COPIES: Readonly<Partial<Record<RowType, number>>> = {
  WORK_OF_ART: 4,
  PRODUCT: 4,
  LAW: 3,
  LANGUAGE: 3,
  EVENT: 2,
  FAC: 2,
  LOC: 2,
};
/** Shares of all rows, including renamed ones, that are added again in lower and in upper case. */
const LOWER = 0.15;
const UPPER = 0.04;

/** Adds copies with other names of the same type, and copies in lower and upper case. */
export function augmentRows(rows: readonly AugmentedRow[]): AugmentedRow[] {
  const random = createRandom(SEED);
  const renamed = rows.flatMap((row) =>
    Array.from({ length: copiesOf(row, random) }, () => rename(row, random)).filter((copy) => copy !== undefined),
  );
  const all = [...rows, ...renamed];
  const lower = all.filter(() => random() < LOWER).map((row) => recase(row, (text) => text.toLowerCase()));
  const upper = all.filter(() => random() < UPPER).map((row) => recase(row, (text) => text.toUpperCase()));
  return [...renamed, ...[...lower, ...upper].filter((row) => row !== undefined)];
}

function copiesOf({ evidence: { sure }, weight }: AugmentedRow, random: () => number): number {
  if (sure.length === 0) return 0;
  const most = Math.max(...sure.map(({ types: [type] }) => (type && COPIES[type]) ?? 1));
  // Silver rows are numerous: half of them are copied once.
  return weight < 0.5 ? Number(random() < most / 5) : most;
}

/** A change of case that changes lengths or tokens would shift the labels: such rows are left out. */
function recase(row: AugmentedRow, change: (text: string) => string): AugmentedRow | undefined {
  const text = change(row.text);
  if (text.length !== row.text.length || text === row.text) return undefined;
  const tokens = tagText(text);
  const same = tokens.length === row.tokens.length && tokens.every(({ end }, at) => end === row.tokens[at]?.end);
  return same ? { ...row, text, tokens } : undefined;
}

interface Placed extends TypedSpan {
  readonly isSure: boolean;
}

function rename(row: AugmentedRow, random: () => number): AugmentedRow | undefined {
  const placed = placedSpans(row.evidence);
  const moved: { start: number; end: number; span: Placed }[] = [];
  let text = "";
  let at = 0;
  let changed = false;
  for (const span of placed) {
    const start = row.tokens[span.first]?.start ?? 0;
    const end = row.tokens[span.last]?.end ?? 0;
    if (start < at) return undefined;
    const old = row.text.slice(start, end);
    const name = span.isSure && random() < RENAMED ? nameFor(span, old, random) : undefined;
    text += row.text.slice(at, start);
    moved.push({ start: text.length, end: text.length + (name ?? old).length, span: name ? named(span, name) : span });
    text += name ?? old;
    at = end;
    changed ||= name !== undefined;
  }
  text += row.text.slice(at);
  return changed ? rebuilt(row, text, moved) : undefined;
}

/** Several possible types are reduced to that of the list which contains the name. */
const named = (span: Placed, { length }: string): Placed =>
  length > 0 && span.types.length > 1 ? { ...span, types: ["GPE"] } : span;

function placedSpans({ sure, unsure }: EntityEvidence): Placed[] {
  const taken = new Set(sure.flatMap(({ first, last }) => [first, last]));
  const open = unsure.filter(({ first, last }) => !taken.has(first) && !taken.has(last));
  const all = [...sure.map((span) => ({ ...span, isSure: true })), ...open.map((span) => ({ ...span, isSure: false }))];
  return all
    .sort((a, b) => a.first - b.first || b.last - a.last)
    .filter((span, index, sorted) => {
      const before = sorted[index - 1];
      return !before || before.last < span.first;
    });
}

function rebuilt(
  row: AugmentedRow,
  text: string,
  moved: readonly { start: number; end: number; span: Placed }[],
): AugmentedRow {
  const tokens = tagText(text);
  const spans = moved.flatMap(({ start, end, span }) => {
    const first = tokens.findIndex((token) => token.end > start);
    const last = tokens.findLastIndex((token) => token.start < end);
    return first < 0 || last < first ? [] : [{ ...span, first, last }];
  });
  const sure = spans.filter(({ isSure }) => isSure);
  return { ...row, text, tokens, evidence: { sure, unsure: spans.filter(({ isSure }) => !isSure) } };
}

const LISTS: Readonly<Record<Exclude<RowType, "PERSON">, readonly Gazetteer[]>> = {
  NORP: ["nationalities"],
  FAC: ["facilities"],
  ORG: ["organizations"],
  GPE: ["cities", "cities", "countries", "regions"],
  LOC: ["locations"],
  PRODUCT: ["products"],
  EVENT: ["events"],
  WORK_OF_ART: ["works"],
  LAW: ["laws"],
  LANGUAGE: ["languages"],
};

function nameFor({ types }: TypedSpan, old: string, random: () => number): string | undefined {
  const type = types.length === 1 ? types[0] : "GPE";
  if (!type || /^[#@]/.test(old)) return undefined;
  const acronyms = type === "ORG" || type === "PRODUCT" || type === "EVENT" || type === "LAW" || type === "WORK_OF_ART";
  if (type !== "PERSON") return inCaseOf(old, choose(listed(choose(LISTS[type], random)), random), acronyms);
  const first = choose(listed("first-names"), random);
  if (old.includes(" ")) return inCaseOf(old, `${first} ${choose(listed("last-names"), random)}`, false);
  return inCaseOf(
    old,
    random() < 0.7 ? first : choose(listed(choose(["last-names", "persons"], random)), random),
    false,
  );
}

const lists = new Map<Gazetteer, string[]>();

function listed(list: Gazetteer): string[] {
  const known = lists.get(list) ?? entriesOf(list).filter((entry) => entry.length > 2);
  lists.set(list, known);
  return known;
}

function choose<T extends string>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

/** Gives the new name the capitalisation of the old one. */
function inCaseOf(old: string, name: string, acronyms: boolean): string {
  if (old.length > 4 && old === old.toUpperCase()) return name.toUpperCase();
  return /^[\p{Lu}\d]/u.test(old) ? spelt(name, acronyms) : name;
}
