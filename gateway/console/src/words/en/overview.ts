import type { StepState } from "../../data/overview.js";
import type { Interval } from "../../data/periods.js";
import { count, number, preciseShare, share } from "../numbers.js";
import { quoted } from "../quoted.js";

const STATES: Readonly<Record<StepState, string>> = {
  complete: "",
  partly: "not all was collected",
  unfinished: "not over yet",
  missing: "not collected",
  future: "still to come",
};

const STEP_NAMES: Readonly<Record<Interval, string>> = { hour: "hour", day: "day", week: "week", month: "month" };

/** What a step of a series is called; one of a later version of the server by its own name. */
function stepOf(interval: Interval): string {
  return interval in STEP_NAMES ? STEP_NAMES[interval] : interval;
}

/** Unusual findings are of hours or days, whatever the steps of the series. */
function judgedStepOf(interval: Interval): string {
  return interval === "hour" ? "hour" : "day";
}

/** The overview of an insight. */
export const overviewWords = {
  totals: "Totals",
  postings: (value: number) => count(value, "posting"),
  authors: (value: number, isExact: boolean) => (isExact ? "" : "at least ") + count(value, "author"),
  polarity: (part: number, label: string) => `${share(part)} ${label}`,
  unsure: (value: number) => `${number(value)} unsure`,
  unsureHelp: "Postings whose words give no evidence of an emotion. They are counted apart, not as an emotion.",
  spam: (value: number) => `${number(value)} spam`,
  hideSpam: "hide spam",
  ofAll: (shown: number, all: number) =>
    all === 0
      ? ""
      : `${number(shown)} of ${number(all)} postings of the period (${share(shown / all)}); filters hide the rest.`,
  hiddenSpam: (value: number, isExact: boolean) => `${isExact ? "" : "At least "}${number(value)} hidden as spam.`,
  counted: "Counted for these filters posting by posting; unusual days are not looked for.",
  updated: (at: string) => `updated ${at}`,
  newer: (value: number) => `${count(value, "new posting")} – show`,
  counting: (value: number) => `Counting ${count(value, "posting")}.`,
  tooSlow:
    "The server needs too long to count this period with these filters. Those of words, topics and authors are counted one by one.",
  halfPeriod: (period: string) => `Show ${period} instead`,

  seriesTitle: (interval: Interval) => `Postings by ${stepOf(interval)}`,
  seriesName: (interval: Interval, from: string, to: string) =>
    `Postings by ${stepOf(interval)} from ${from} to ${to}, by sentiment, as bars`,
  most: (label: string, postings: number) => `Most on ${label}: ${number(postings)}.`,
  mostOfHours: (label: string, postings: number) => `Most at ${label}: ${number(postings)}.`,
  unfinished: (interval: Interval) => `The last ${stepOf(interval)} is not over: its bar is pale.`,
  notAll: (steps: number, interval: Interval) =>
    `${count(steps, stepOf(interval))} ${steps === 1 ? "was" : "were"} not collected completely and ${steps === 1 ? "is" : "are"} pale.`,
  missing: (steps: number, interval: Interval) =>
    `${count(steps, stepOf(interval))} ${steps === 1 ? "was" : "were"} not collected; that is not zero.`,
  state: (state: StepState) => STATES[state],
  gap: (reasons: readonly string[]) => (reasons.length === 0 ? "not collected" : `not collected: ${reasons[0] ?? ""}`),
  step: (label: string, postings: number, parts: string, state: string) =>
    `${label}: ${count(postings, "posting")}${parts === "" ? "" : ` (${parts})`}${state === "" ? "" : `, ${state}`}`,
  showPostings: (value: number) => `Show ${count(value, "posting")}`,
  change: (version: number) => `search changed (version ${version})`,
  changes: (texts: readonly string[]) => `The search was changed: ${texts.join("; ")}.`,
  changeAt: (version: number, at: string) => `version ${version} on ${at}`,

  spikes: "Unusual",
  spike: (at: string, seen: string, usual: string) => `${at}: ${seen}, usually ${usual}.`,
  spikeOn: (platform: string) => `On ${platform}`,
  negativeSeen: (part: number) => `${share(part)} negative`,
  rose: (value: string, part: number, usual: number) =>
    `Rose most: ${quoted(value)} (${share(part)}, usually ${share(usual)}).`,
  onPlatforms: (spikes: number) => `${number(spikes)} more on single platforms`,
  why: "Why?",
  hideWhy: "Close",
  /** What was looked at, and what was found: never "no unusual day" where nothing could be judged. */
  noneFound: (steps: number, interval: Interval) =>
    `No unusual ${judgedStepOf(interval)} among ${number(steps)} that could be judged.`,
  found: (spikes: number, steps: number, interval: Interval) =>
    `${count(spikes, "unusual finding")} in ${count(steps, judgedStepOf(interval))} that could be judged.`,
  notEnough: (days: number, more: number) =>
    `Usual is known after ${count(days, "complete day")}, ${number(more)} more to go.`,
  notEnoughPlain: (days: number) =>
    `Usual is known after ${count(days, "complete day")} before the one that is judged.`,
  incomplete: "Nothing could be judged: no step of the period was collected completely.",
  filtered: "With these filters nothing is judged: only platforms and days may be chosen for that.",
  changed: (at: string) => `Since the search was changed on ${at}, too little was collected to judge.`,
  negativeNotJudged: "The share of negative postings is not judged: too few days have 30 postings.",

  spikeTitle: (at: string) => `What was unusual: ${at}`,
  spikeReposts: (reposts: number, repeated: number, examined: number) =>
    `Of ${count(examined, "posting")} that were looked at, ${number(reposts)} are reposts and ${number(repeated)} others repeat a text.`,
  roseList: {
    topics: "Topics that rose",
    hashtags: "Hashtags that rose",
    authors: "Authors that rose",
    domains: "Domains that rose",
  },
  risen: (part: number, usual: number) => `${share(part)}, usually ${share(usual)}`,
  noneRose: "No topic, hashtag, author or domain has a larger share than in the week before.",
  examples: "Examples",
  example: (platform: string, at: string, author: string) => [platform, at, quoted(author)].filter(Boolean).join(" · "),
  noText: "(without words)",
  spikeColumns: ["List", "Value", "Postings", "Share", "Usual share"],

  emotions: "Emotions",
  emotionsSentence: (known: number, unsure: number) =>
    `${count(known, "posting")} with an emotion; ${number(unsure)} unsure are not in the table. A cell filters.`,
  emotionsNow: "Emotions over time",
  emotionsNowSentence: "Above the line positive, below negative; strong ones dark, mild ones light; all on one scale.",
  emotionColumns: ["Dimension", "Strength", "Emotion", "Postings", "Share"],
  scale: (value: number) => `one scale, up to ${number(value)}`,

  platformsOver: (interval: Interval) => `Platforms by ${stepOf(interval)}`,
  platformsSentence: "All on one scale. What was not collected is left out.",

  lists: {
    topics: "Topics",
    hashtags: "Hashtags",
    authors: "Authors",
    domains: "Domains",
    labels: "Seen in media",
    intentions: "Intentions",
    platforms: "Platforms",
    languages: "Languages",
    countries: "Countries",
    types: "Types",
  },
  authorsSentence: (shown: number, distinct: number, isExact: boolean) =>
    `${number(shown)} of ${isExact ? "" : "at least "}${number(distinct)}.`,
  listSentence: (shown: number, distinct: number, isExact: boolean) =>
    `${number(shown)} of ${isExact ? "" : "at least "}${number(distinct)}; a posting may have several.`,
  breakdownSentence: (values: number) => count(values, "value"),
  otherPostings: (value: number) => `${count(value, "posting")} with further values.`,
  tooLow: (value: number) => `Counts may be too low by up to ${number(value)}.`,
  bar: (value: number, part: number) => `${number(value)} · ${share(part)}`,
  barInSpike: (value: number, part: number, spikePart: number, usual: number) =>
    `${number(value)} · ${share(part)} ▲ ${share(spikePart)}, usually ${share(usual)}`,
  valueColumns: ["Value", "Postings", "Share"],
  precise: (part: number) => preciseShare(part),
  unnamed: "without a name",

  stepColumns: ["From (UTC)", "To (UTC)", "Postings", "Positive", "Neutral", "Negative", "Not judged", "Collection"],

  none: "No posting in this period",
  noneYet: "No posting yet",
  firstLook: (at: string) => `The first look is at ${at}.`,
  noneMatches: "Nothing matches these filters",
  removeOne: "Remove one of them:",
  sinceBeginning: "Show all since the beginning",
  goCollection: "See what was collected",
};
