import type { components } from "@hourglass/client";
import { foldName } from "@hourglass/runtime/text";
import { HOURGLASS } from "./hourglass.js";
import { INTERVALS, isEdge, timesOf, type Interval, type Period } from "./periods.js";

type Schemas = components["schemas"];
export type PostingSort = Schemas["PostingSort"];

/** Kinds of filters that take several values; the address names them as people do, the API in its own words. */
export const LIST_FILTERS = [
  "platform",
  "polarity",
  "emotion",
  "intention",
  "language",
  "country",
  "type",
  "author",
  "topic",
  "tag",
  "domain",
  "label",
] as const;
export type ListFilter = (typeof LIST_FILTERS)[number];

export type SpamChoice = "hide" | "only";

/** An entry of the address that this version cannot use: it is shown, kept, and has no effect. */
export interface UnknownEntry {
  readonly name: string;
  readonly value: string;
}

/** What of an insight is looked at, as the address says. */
export interface Filters {
  /** First and last day or hour, both included; absent: the usual period. */
  readonly from?: string;
  readonly to?: string;
  readonly interval?: Interval;
  readonly sort?: PostingSort;
  /** `asc`: the smallest first. */
  readonly order?: Schemas["SortOrder"];
  readonly spam?: SpamChoice;
  readonly q?: string;
  /** The values of one kind are alternatives; all kinds must be met. */
  readonly lists: Readonly<Partial<Record<ListFilter, readonly string[]>>>;
  readonly unknown: readonly UnknownEntry[];
}

const PLATFORMS: readonly Schemas["Platform"][] = [
  "twitter",
  "reddit",
  "news",
  "youtube-videos",
  "youtube-comments",
  "facebook",
  "instagram",
  "linkedin",
  "tiktok",
  "bluesky",
  "mastodon",
];
const POLARITIES: readonly Schemas["PolarityFilter"][] = ["positive", "neutral", "negative", "none"];
const INTENTIONS: readonly Schemas["Intention"][] = [
  "assertion",
  "valuation",
  "palinode",
  "contrition",
  "forecast",
  "wish",
  "proposal",
  "inducement",
  "none",
];
const SORTS: readonly PostingSort[] = [
  "posted_at",
  "engagement",
  "share_count",
  "like_count",
  "angry_count",
  "laugh_count",
  "love_count",
  "sad_count",
  "support_count",
  "wow_count",
  "appreciation_count",
  "empathy_count",
  "interest_count",
  "maybe_count",
  "praise_count",
  "digg_count",
  "reaction_total_count",
  "video_play_count",
  "video_view_count",
  "view_count",
  "share_with_comment_count",
  "comment_count",
];

/** The filter for postings without a value. */
export const NONE = "none";

/** Values that are words without commas: `?platform=news,reddit`. Others may hold commas, and are repeated. */
const COMMA_LISTS: ReadonlySet<ListFilter> = new Set([
  "platform",
  "polarity",
  "emotion",
  "intention",
  "language",
  "country",
  "type",
]);

/** The values that a kind can have; undefined: any text. */
const KNOWN: Readonly<Partial<Record<ListFilter, (value: string) => boolean>>> = {
  platform: oneOf(PLATFORMS),
  polarity: oneOf(POLARITIES),
  emotion: oneOf([...HOURGLASS.flatMap(({ emotions }) => [...emotions]), NONE]),
  intention: oneOf(INTENTIONS),
  language: (value) => /^([a-z]{2,3}|none)$/i.test(value),
  country: (value) => /^([a-z]{2}|none)$/i.test(value),
};

/** The values to choose from, of kinds that have a fixed list. */
export const CHOICES = {
  platform: PLATFORMS,
  polarity: POLARITIES,
  emotion: [...HOURGLASS.flatMap(({ emotions }) => [...emotions]), NONE],
  intention: INTENTIONS,
} as const satisfies Partial<Record<ListFilter, readonly string[]>>;

function oneOf(values: readonly string[]): (value: string) => boolean {
  return (value) => values.includes(value);
}

const SINGLES = ["from", "to", "interval", "spam", "sort", "order"] as const;
type Single = (typeof SINGLES)[number];

/** Whether a value of the address means something here. */
const SINGLE_IS_KNOWN: Readonly<Record<Single, (value: string) => boolean>> = {
  from: isEdge,
  to: isEdge,
  interval: oneOf(INTERVALS),
  spam: oneOf(["hide", "only"]),
  sort: oneOf(SORTS),
  order: oneOf(["asc", "desc"]),
};

/** What the API calls kinds that the address names otherwise: people take names over from there. */
const NAMES_OF_API: Readonly<Partial<Record<ListFilter, string>>> = { emotion: "sentiment", tag: "hashtag" };
/** Names of everything that the filters of an address consist of. */
const OWN_NAMES: readonly string[] = [...SINGLES, "q", ...LIST_FILTERS, ...Object.values(NAMES_OF_API)];
/** Names of what screens with filters have in their addresses besides. */
const OTHER_NAMES: readonly string[] = ["posting", "spike", "insight", "new", "cursor"];
/** What chooses and can be cleared: neither the period nor how it is shown. */
const CLEARED: readonly string[] = ["spam", "q", ...LIST_FILTERS, ...Object.values(NAMES_OF_API)];

/** Reads the filters of an address. Nothing in it is a mistake: what is not known is kept apart. */
export function readFilters(parameters: URLSearchParams): Filters {
  const unknown: UnknownEntry[] = [];
  const singles: Partial<Record<Single, string>> = {};
  for (const name of SINGLES) {
    const value = parameters.get(name)?.trim() ?? "";
    if (value === "") continue;
    if (SINGLE_IS_KNOWN[name](value)) singles[name] = value;
    else unknown.push({ name, value });
  }
  const lists: Partial<Record<ListFilter, string[]>> = {};
  for (const name of LIST_FILTERS) {
    const isKnown = KNOWN[name] ?? (() => true);
    const values = valuesOf(parameters, name);
    const known = values.filter(isKnown);
    if (known.length > 0) lists[name] = known;
    unknown.push(...values.filter((value) => !isKnown(value)).map((value) => ({ name, value })));
  }
  for (const [name, value] of parameters) {
    if (!OWN_NAMES.includes(name) && !OTHER_NAMES.includes(name)) unknown.push({ name, value });
  }
  const q = parameters.get("q")?.trim() ?? "";
  // The values have been checked.
  return { ...(singles as Pick<Filters, Single>), ...(q === "" ? {} : { q }), lists, unknown };
}

/** The values of a kind in an address, each once. */
function valuesOf(parameters: URLSearchParams, name: ListFilter): string[] {
  const isCommaList = COMMA_LISTS.has(name);
  const values = namesOf(name)
    .flatMap((each) => parameters.getAll(each))
    .flatMap((text) => (isCommaList ? text.split(",") : [text]))
    .map((value) => value.trim())
    .filter((value) => value !== "");
  return values.filter((value, at) => values.findIndex((other) => isSame(other, value)) === at);
}

function namesOf(name: ListFilter): string[] {
  const ofApi = NAMES_OF_API[name];
  return ofApi === undefined ? [name] : [name, ofApi];
}

function isSame(one: string, other: string): boolean {
  return foldName(one) === foldName(other);
}

/** The parameters of an address with other values of one kind. Everything else stays, what is not known, too. */
export function withValues(parameters: URLSearchParams, name: ListFilter, values: readonly string[]): URLSearchParams {
  const changed = new URLSearchParams(parameters);
  for (const each of namesOf(name)) changed.delete(each);
  if (values.length > 0 && COMMA_LISTS.has(name)) changed.set(name, values.join(","));
  else for (const value of values) changed.append(name, value);
  return changed;
}

/** The parameters with a value more or, if it is there, without it. */
export function toggled(parameters: URLSearchParams, name: ListFilter, value: string): URLSearchParams {
  const values = valuesOf(parameters, name);
  const others = values.filter((other) => !isSame(other, value));
  return withValues(parameters, name, others.length < values.length ? others : [...values, value]);
}

/** The parameters with this value as the only one of its kind. */
export function narrowedTo(parameters: URLSearchParams, name: ListFilter, value: string): URLSearchParams {
  return withValues(parameters, name, [value]);
}

/** The parameters with another period. */
export function withPeriod(parameters: URLSearchParams, { from, to }: Period): URLSearchParams {
  const changed = new URLSearchParams(parameters);
  changed.set("from", from);
  changed.set("to", to);
  return changed;
}

/** The parameters with another value of what has one value; undefined removes it. */
export function withSingle(
  parameters: URLSearchParams,
  name: Single | "q",
  value: string | undefined,
): URLSearchParams {
  const changed = new URLSearchParams(parameters);
  if (value === undefined || value === "") changed.delete(name);
  else changed.set(name, value);
  return changed;
}

/** The parameters without any filter; period, interval and order stay. What is not known goes, too. */
export function cleared(parameters: URLSearchParams): URLSearchParams {
  const changed = new URLSearchParams(parameters);
  for (const name of CLEARED) changed.delete(name);
  for (const { name } of readFilters(changed).unknown) changed.delete(name);
  return changed;
}

/** Only what filters: for another screen of the same insight, which has other parameters. */
export function onlyFilters(parameters: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([name]) => OWN_NAMES.includes(name)));
}

/** The address as people read it: commas, colons and slashes need no escapes in a query. */
export function addressOf(path: string, parameters: URLSearchParams): string {
  const text = parameters.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
  return text === "" ? path : `${path}?${text}`;
}

/** One filter of an address. */
export interface FilterEntry {
  readonly name: ListFilter | "spam" | "q" | Single;
  readonly value: string;
  readonly isKnown: boolean;
  /** The parameters without it. */
  readonly without: URLSearchParams;
}

/** Everything that narrows what is shown, in the order of the form; the period has a place for itself. */
export function entriesOf(parameters: URLSearchParams): FilterEntry[] {
  const { lists, spam, q, unknown } = readFilters(parameters);
  const entries: FilterEntry[] = [];
  for (const name of LIST_FILTERS) {
    for (const value of lists[name] ?? []) {
      entries.push({ name, value, isKnown: true, without: toggled(parameters, name, value) });
    }
  }
  if (spam !== undefined) {
    entries.push({ name: "spam", value: spam, isKnown: true, without: withSingle(parameters, "spam", undefined) });
  }
  if (q !== undefined)
    entries.push({ name: "q", value: q, isKnown: true, without: withSingle(parameters, "q", undefined) });
  for (const { name, value } of unknown) {
    const without = isListFilter(name)
      ? toggled(parameters, name, value)
      : withSingle(parameters, name as Single, undefined);
    entries.push({ name: name as FilterEntry["name"], value, isKnown: false, without });
  }
  return entries;
}

function isListFilter(name: string): name is ListFilter {
  return LIST_FILTERS.some((known) => known === name);
}

/** Whether a filter is set that has an effect. */
export function isFiltered({ lists, spam, q }: Filters): boolean {
  return spam !== undefined || q !== undefined || Object.keys(lists).length > 0;
}

/** Whether the counts that the server keeps answer it: filters by platform and days only. Spikes are looked for then. */
export function isJudged({ lists, spam, q }: Filters): boolean {
  return spam === undefined && q === undefined && Object.keys(lists).every((name) => name === "platform");
}

/** The filters in the names of the API, the same for postings, summaries and exports. */
export interface ApiFilter {
  platform?: Schemas["Platform"][];
  polarity?: Schemas["PolarityFilter"][];
  sentiment?: string[];
  intention?: string[];
  language?: string[];
  country?: string[];
  type?: string[];
  spam?: Schemas["SpamFilter"][];
  author?: string[];
  topic?: string[];
  hashtag?: string[];
  domain?: string[];
  label?: string[];
  q?: string;
}

const API_NAMES: Readonly<Record<ListFilter, keyof ApiFilter>> = {
  platform: "platform",
  polarity: "polarity",
  emotion: "sentiment",
  intention: "intention",
  language: "language",
  country: "country",
  type: "type",
  author: "author",
  topic: "topic",
  tag: "hashtag",
  domain: "domain",
  label: "label",
};

/** What is not spam, and what was not judged. */
const NOT_SPAM: readonly Schemas["SpamFilter"][] = ["false", "none"];

/** The filters for the API, without the period. */
export function filterForApi({ lists, spam, q }: Filters): ApiFilter {
  const named = LIST_FILTERS.flatMap((name) => {
    const values = lists[name];
    return values === undefined ? [] : [[API_NAMES[name], [...values]] as const];
  });
  return {
    ...(Object.fromEntries(named) as ApiFilter),
    ...(spam === undefined ? {} : { spam: spam === "hide" ? [...NOT_SPAM] : ["true"] }),
    ...(q === undefined ? {} : { q }),
  };
}

/** Filters and period for the API, as its postings and summaries read them. */
export function queryForApi(filters: Filters, period: Period): ApiFilter & ReturnType<typeof timesOf> {
  return { ...filterForApi(filters), ...timesOf(period) };
}
