import { domainToUnicode } from "node:url";
import { foldName, shownName } from "@hourglass/runtime/text";
import type { Count } from "../platforms/posting-draft.js";
import {
  LIST_KINDS,
  type ListKind,
  type PlatformName,
  type PostingRecord,
  PROPERTIES,
  type Property,
  type SummaryPart,
} from "../store/records.js";
import { spelledValue, ValueCounts } from "./value-counts.js";

/** Values of a property that a bucket keeps; imports may state any. */
const PROPERTY_VALUES_MAX = 2_000;

/** The counts of postings without their lists: what a step of a series shows. */
export class Counts {
  postings = 0;
  readonly platforms = new Map<PlatformName, number>();
  readonly properties = forEach(PROPERTIES, () => new ValueCounts(PROPERTY_VALUES_MAX));
  readonly engagement = new Map<string, { sum: bigint; postings: number }>();

  add(posting: PostingRecord): void {
    this.addPostings(posting.platform, 1);
    const values = propertiesOf(posting);
    for (const property of PROPERTIES) this.properties[property].add(values[property]);
    const stated: Readonly<Record<string, Count | undefined>> = posting.content.counts ?? {};
    for (const name of Object.keys(stated)) {
      const count = stated[name];
      if (count === undefined || (typeof count === "number" && !Number.isSafeInteger(count))) continue;
      this.addEngagement(name, BigInt(count), 1);
    }
  }

  /** Adds postings of which other columns than these are counted elsewhere. */
  addCounted({ postings, platforms, properties, engagement }: CountedValues): void {
    this.postings += postings;
    for (const [platform, count] of platforms) {
      this.platforms.set(platform, (this.platforms.get(platform) ?? 0) + count);
    }
    for (const [property, value, count] of properties) this.properties[property].add(value, count);
    for (const [name, sum, stating] of engagement) this.addEngagement(name, sum, stating);
  }

  /** Adds a stored part. */
  addPart({ platform, postings, properties, engagement }: SummaryPart): void {
    this.addPostings(platform, postings);
    for (const property of PROPERTIES) {
      for (const [value, count] of properties[property]) this.properties[property].add(value, count);
    }
    for (const [name, sum, stating] of engagement) this.addEngagement(name, BigInt(sum), stating);
  }

  /** Postings whose value of the property is left out. */
  otherOf(property: Property): number {
    let kept = 0;
    for (const [, count] of this.properties[property]) kept += count;
    return this.postings - kept;
  }

  private addPostings(platform: PlatformName, count: number): void {
    this.postings += count;
    this.platforms.set(platform, (this.platforms.get(platform) ?? 0) + count);
  }

  private addEngagement(name: string, sum: bigint, postings: number): void {
    const known = this.engagement.get(name);
    if (known === undefined) this.engagement.set(name, { sum, postings });
    else {
      known.sum += sum;
      known.postings += postings;
    }
  }
}

/** Postings that were counted by their values. */
export interface CountedValues {
  postings: number;
  platforms: readonly (readonly [PlatformName, number])[];
  properties: readonly (readonly [Property, value: string, count: number])[];
  /** By name of the count: the sum, and the postings that state it. */
  engagement: readonly (readonly [name: string, sum: bigint, postings: number])[];
}

/** The lists of values of postings. */
export type Lists = Record<ListKind, ValueCounts>;

export function newLists(limit?: number): Lists {
  return forEach(LIST_KINDS, () => new ValueCounts(limit));
}

export function addToLists(lists: Lists, posting: PostingRecord): void {
  const listed = listedOf(posting);
  for (const kind of LIST_KINDS) for (const value of listed[kind]) lists[kind].add(value);
}

/** The postings of one platform. */
export interface PlatformTally {
  counts: Counts;
  lists: Lists;
}

/** What is counted of the postings of a bucket, for each platform. */
export class Tally {
  readonly platforms = new Map<PlatformName, PlatformTally>();

  add(posting: PostingRecord): void {
    const { counts, lists } = this.of(posting.platform);
    counts.add(posting);
    addToLists(lists, posting);
  }

  of(platform: PlatformName): PlatformTally {
    const known = this.platforms.get(platform);
    if (known !== undefined) return known;
    const fresh = { counts: new Counts(), lists: newLists() };
    this.platforms.set(platform, fresh);
    return fresh;
  }
}

export function forEach<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>;
}

const HOST = /^https?:\/\/(?:[^/?#@]*@)?([^/:?#]+)/i;

/** Values that are compared one by one, which is faster than a set of them. */
const FEW = 16;

/** The values of a posting that summaries count; empty if there is none. */
export function propertiesOf(posting: PostingRecord): Record<Property, string> {
  const { sentiment, intention, language, content, analysis } = posting;
  return {
    sentiment: sentiment ?? "",
    polarity: valueOf(analysis?.moreInfo.sentiment_simple),
    intention: intention ?? "",
    spam: valueOf(analysis?.moreInfo.spam),
    language: language?.toLowerCase() ?? "",
    country: content.place?.countryCode?.toUpperCase() ?? "",
    type: foldName(content.type ?? ""),
  };
}

/** The values that a posting adds to each list, each with its spelling (`spelledValue`). */
export function listedOf(posting: PostingRecord): Record<ListKind, readonly string[]> {
  return forEach(LIST_KINDS, (kind) => listedIn(posting, kind));
}

/** Those of one list. */
export function listedIn({ platform, content, analysis }: PostingRecord, kind: ListKind): readonly string[] {
  switch (kind) {
    case "topics":
      return distinct(analysis?.topics ?? []);
    case "hashtags":
      return distinct((content.tags ?? []).map(withoutHash));
    case "authors":
      return authorKeysOf(platform, content.author);
    case "labels":
      return distinct(analysis?.labels ?? []);
    case "domains":
      return domainOf(content.url);
  }
}

function withoutHash(tag: string): string {
  return tag.startsWith("#") ? tag.slice(1) : tag.replace(/^\s*[#＃]/u, "");
}

interface AuthorNames {
  id?: string;
  username?: string;
  name?: string;
}

/** An author is known by platform and id, else by the user name, else by the name; none without any of them. */
function authorKeysOf(platform: PlatformName, { id, username, name }: AuthorNames = {}): string[] {
  // Ids of some platforms differ in case only.
  if (id) return [`${platform} i${shownName(id)}`];
  return spelledAuthor(`${platform} u`, username) ?? spelledAuthor(`${platform} n`, name) ?? [];
}

function spelledAuthor(kind: string, name = ""): string[] | undefined {
  const folded = foldName(name);
  return folded === "" ? undefined : [spelledValue(kind + folded, kind + shownName(name))];
}

/** All that an author may be looked for by, as `foldName` gives it. */
export function authorNamesOf({ content: { author = {} } }: Pick<PostingRecord, "content">): string[] {
  const names = [author.id, author.username, author.name].flatMap((name) => name || []);
  return [...new Set(names.map(foldName))].filter((name) => name !== "");
}

/** What an author's key says of the author; of one without an id, its spelling. */
export function authorOfKey(key: string): { platform: PlatformName; names: AuthorNames } {
  const space = key.indexOf(" ");
  const [platform, kind, value] = [key.slice(0, space), key.charAt(space + 1), key.slice(space + 2)];
  if (kind === "i") return { platform, names: { id: value } };
  return { platform, names: kind === "u" ? { username: value } : { name: value } };
}

function domainOf(url: string | undefined): string[] {
  const [, host] = url === undefined ? [] : (HOST.exec(url) ?? []);
  if (host === undefined) return [];
  const shown = bareDomain(shownName(host).toLowerCase());
  return [spelledValue(foldDomain(shown), shown)];
}

/** The form in which domains are compared: also one in the letters of its language with its form of `xn--`. */
export function foldDomain(domain: string): string {
  const folded = bareDomain(foldName(domain));
  return folded.includes("xn--") ? foldName(domainToUnicode(folded)) || folded : folded;
}

function bareDomain(domain: string): string {
  const bare = domain.startsWith("www.") ? domain.slice("www.".length) : domain;
  return bare.length > 1 && bare.endsWith(".") ? bare.slice(0, -1) : bare;
}

/** The label that a note holds. */
function valueOf(result: unknown): string {
  if (typeof result !== "object" || result === null || !("value" in result)) return "";
  return typeof result.value === "string" ? result.value : "";
}

/** Each value once, in its first spelling. */
function distinct(values: readonly string[]): readonly string[] {
  if (values.length === 0) return values;
  if (values.length > FEW) {
    const first = new Map<string, string>();
    for (const value of values) {
      const folded = foldName(value);
      if (folded !== "" && !first.has(folded)) first.set(folded, spelledValue(folded, shownName(value)));
    }
    return [...first.values()];
  }
  const [found, known]: [string[], string[]] = [[], []];
  for (const value of values) {
    const folded = foldName(value);
    if (folded === "" || known.includes(folded)) continue;
    known.push(folded);
    found.push(spelledValue(folded, shownName(value)));
  }
  return found;
}
