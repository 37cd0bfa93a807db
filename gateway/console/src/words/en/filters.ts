import type { ListFilter, SpamChoice } from "../../data/filters.js";
import type { Interval, PresetName } from "../../data/periods.js";
import { number } from "../numbers.js";
import { labels } from "./labels.js";
import { quoted } from "../quoted.js";

/** Kinds of filters as people say them, where the value alone would not be clear. */
const KINDS: Readonly<Record<ListFilter, string>> = {
  platform: "Platform",
  polarity: "Sentiment",
  emotion: "Emotion",
  intention: "Intention",
  language: "Language",
  country: "Country",
  type: "Type",
  author: "Author",
  topic: "Topic",
  tag: "Hashtag",
  domain: "Domain",
  label: "Seen in media",
};

/** What postings without a value are called. */
const WITHOUT: Readonly<Record<ListFilter, string>> = {
  platform: "no platform",
  polarity: "sentiment not judged",
  emotion: "emotion unsure",
  intention: "no intention",
  language: "language unknown",
  country: "country unknown",
  type: "type not stated",
  author: "author not stated",
  topic: "no topic",
  tag: "no hashtag",
  domain: "no address",
  label: "nothing seen in media",
};

const SPAM: Readonly<Record<SpamChoice, string>> = { hide: "spam hidden", only: "only spam" };

/** Filters and periods, the same on all screens of an insight. */
export const filterWords = {
  title: "Filters",
  open: "Filters",
  apply: "Show postings",
  clear: "Clear",
  clearHelp: "Remove all filters; the period stays",
  copyLink: "Copy link",
  bar: "Period and filters",
  active: "Active filters",
  words: "Words in postings",
  wordsHelp: "As in a query: all words, “a phrase”, OR, -not",
  rule: "All kinds must be met; the values of one kind are alternatives.",
  kind: (name: ListFilter) => KINDS[name],
  other: (name: ListFilter) => `Another ${KINDS[name].toLowerCase()}`,
  otherHelp: {
    language: "A code such as en or pt",
    country: "A code such as GB or PT",
    type: "Such as post, reply or repost",
    author: "Id, user name or name",
    topic: "In upper or lower case",
    tag: "With or without #",
    domain: "Such as news.example.com",
    label: "A face, object, activity or logo",
  } satisfies Partial<Record<ListFilter, string>>,
  spam: "Spam",
  spamChoices: { all: "show all", hide: "hide spam", only: "only spam" },
  /** A value of a kind, alone. */
  value: (name: ListFilter, value: string): string => {
    if (value === "none") return WITHOUT[name];
    if (name === "platform") return labels.platform(value);
    if (name === "polarity") return labels.polarity(value);
    if (name === "emotion") return labels.emotion(value);
    if (name === "intention") return labels.intention(value);
    if (name === "language") return labels.language(value);
    if (name === "country") return labels.country(value.toUpperCase());
    if (name === "tag") return `#${value.replace(/^#/, "")}`;
    return value;
  },
  /** A filter on its chip: the kind is said where the value may be any text. */
  chip: (name: string, value: string, hidden?: number): string => {
    if (name === "spam") {
      const text = SPAM[value as SpamChoice];
      return hidden === undefined ? text : `${text} (${number(hidden)})`;
    }
    if (name === "q") return `“${quoted(value)}”`;
    const kind = KINDS[name as ListFilter] as string | undefined;
    if (kind === undefined) return `${name} ${quoted(value)}`;
    const text = filterWords.value(name as ListFilter, value);
    const isClear = ["platform", "polarity", "emotion", "intention", "tag"].includes(name) || value === "none";
    return isClear ? text : `${kind}: ${quoted(text)}`;
  },
  notKnown: (name: string, value: string) => `${name}: ${quoted(value)} – not known`,
  notKnownHelp: "This version does not know this name or value. It stays in the address and has no effect.",
  removeFilter: (text: string) => `Remove ${quoted(text)}`,
  /** The period, and how it is cut into steps. */
  period: (text: string) => `${text} (UTC)`,
  choosePeriod: "Choose the period",
  from: "First day",
  to: "Last day",
  daysHelp: "Both days are included. Days begin and end in UTC.",
  showPeriod: "Show",
  earlier: "Period earlier",
  later: "Period later",
  noLater: "The period ends now: nothing later has been posted.",
  order: "Give a last day that is not before the first one.",
  presets: {
    "days-7": "Last 7 days",
    "days-30": "Last 30 days",
    "days-90": "Last 90 days",
    "days-365": "Last 365 days",
    "this-month": "This month",
    "last-month": "Last month",
  } satisfies Record<PresetName, string>,
  intervalOf: "Steps",
  intervals: { hour: "Hours", day: "Days", week: "Weeks", month: "Months" } satisfies Record<Interval, string>,
};
