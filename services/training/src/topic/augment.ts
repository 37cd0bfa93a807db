import { entriesOf, type Gazetteer } from "@hourglass/analysis/topic";
import { createRandom } from "../random.js";
import type { EntityRow, Mention } from "./rows.js";

/** How often rows are varied. */
export interface Augmentation {
  variationSeed: number;
  /** Share of the mentions that are replaced with other names. */
  renamed: number;
  /** Share of the rows that are added again without capitals. */
  uncapitalised: number;
}

/**
 * Adds a copy of each row with entities, with their names replaced from the word lists, and copies without capitals:
 * the tagger learns to trust lists and context more than the few names in the data.
 */
export function augment(rows: readonly EntityRow[], settings: Augmentation): EntityRow[] {
  const random = createRandom(settings.variationSeed);
  const renamed = rows
    .filter(({ mentions }) => mentions.length > 0)
    .map((row) => rename(row, settings.renamed, random));
  const all = [...rows, ...renamed];
  const plain = all.filter(() => random() < settings.uncapitalised).map(uncapitalise);
  return [...all, ...plain.filter((row) => row !== undefined)];
}

/** Lower case changes the length of a few letters, and therefore the offsets: such rows are left out. */
function uncapitalise(row: EntityRow): EntityRow | undefined {
  const text = row.text.toLowerCase();
  return text.length === row.text.length ? { ...row, text } : undefined;
}

function rename(row: EntityRow, share: number, random: () => number): EntityRow {
  const mentions: Mention[] = [];
  let text = "";
  let at = 0;
  for (const mention of [...row.mentions].sort((a, b) => a.start - b.start)) {
    if (mention.start < at) continue;
    const old = row.text.slice(mention.start, mention.end);
    const name = random() < share ? inCaseOf(old, nameFor(mention, old, random)) : old;
    text += row.text.slice(at, mention.start);
    mentions.push({ ...mention, start: text.length, end: text.length + name.length });
    text += name;
    at = mention.end;
  }
  return { ...row, text: text + row.text.slice(at), mentions };
}

const lists = new Map<Gazetteer, string[]>();

function listed(list: Gazetteer): string[] {
  const known = lists.get(list);
  if (known) return known;
  const entries = entriesOf(list);
  lists.set(list, entries);
  return entries;
}

const PLACES: readonly Gazetteer[] = ["cities", "cities", "cities", "countries", "regions", "locations", "facilities"];

function nameFor({ types }: Mention, old: string, random: () => number): string {
  const pick = (list: Gazetteer): string => choose(listed(list), random);
  if (types.includes("PERSON")) {
    if (old.includes(" ")) return `${pick("first-names")} ${pick("last-names")}`;
    return pick(choose(["first-names", "first-names", "last-names", "persons"], random));
  }
  if (types.includes("GPE")) return pick(choose(PLACES, random));
  if (types.includes("ORG")) return pick("organizations");
  return pick(types.includes("PRODUCT") ? "products" : "works");
}

function choose<T extends string>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

function inCaseOf(old: string, name: string): string {
  if (old.length > 3 && old === old.toUpperCase()) return name.toUpperCase();
  return /^\p{Lu}/u.test(old) ? name.replace(/(^|[ -])(\p{L})/gu, (found) => found.toUpperCase()) : name;
}
