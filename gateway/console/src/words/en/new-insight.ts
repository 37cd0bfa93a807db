import { count, number } from "../numbers.js";
import { quoted } from "../quoted.js";

/** A new insight: what it looks for and where, what that costs, and a look at what it finds. */
export const newInsightWords = {
  title: "New insight",
  titleOfCopy: (name: string) => `New insight like ${quoted(name)}`,
  intro: "A search that keeps collecting and analyzing postings, until you pause or delete it.",
  keywords: "Words to look for",
  keywordsHelp:
    "Upper or lower case and accents do not matter. A posting is searched in its title, its text and its tags.",
  howTo: "How to write a query",
  understood: "Understood as",
  understoodNothing: "What you type is explained here.",
  understoodOlder: "Before the mistake:",
  terms: (terms: number) => count(terms, "term"),
  goToMistake: "Go to the place",
  fix: "Fix",
  fixTo: (fix: string) => `Change the words to ${quoted(fix)}`,
  checking: "checking",
  platforms: "Where",
  columns: { platform: "Where", state: "State", asks: "Is asked", cost: "Costs" },
  nothingAsked: "nothing",
  narrowed: "What it finds is narrowed to your words here.",
  andMore: (more: number) => `and ${number(more)} more`,
  asksLater: "shown once there are words",
  asksCorrected: "shown once there is no mistake",
  setUp: "What to set up",
  setUpOf: (platform: string) => `What to set up for ${platform}`,
  noPlatforms: "This server collects from no platform.",
  follow: {
    feeds: {
      add: "Add feeds",
      label: "Feeds to follow besides those of the server",
      help: "An address a line, 50 at most.",
    },
    subreddits: { add: "Add subreddits", label: "Subreddits to read", help: "A name a line, without r/, 50 at most." },
    pages: { add: "Add pages", label: "Pages to follow", help: "A page's name or number a line, 50 at most." },
    organisations: {
      add: "Add organizations",
      label: "Organizations to follow",
      help: "A number a line, as it stands in the address of the page's administration, 50 at most.",
    },
  },
  lineOf: (line: number, message: string) => `Line ${number(line)}: ${quoted(message)}`,
  analyze: "Analyze",
  dimensions: { textual: "text", visual: "pictures and videos", audial: "sound and speech" } as Readonly<
    Record<string, string>
  >,
  lacks: (what: string, why: string) => `Not ready on this server: ${what}. ${why}`,
  place: "Place",
  placeHelp: "Cities, countries or US zip codes, separated by semicolons: Leeds; Lyon, France; 97201.",
  name: "Name",
  nameHelp: "What you and your colleagues call it. Without one, its words are shown.",
  note: "Note",
  warnings: "What to know about this search",
  lookFirst: "Look first",
  lookAgain: "Look again",
  lookFirstHelp: "collects the newest postings once, and ends",
  start: "Start collecting",
  startHelp: "collects from now on",
  starting: "The search has started.",
  missing: {
    keywords: "Type the words to look for first.",
    platforms: "Choose at least one platform first.",
    dimensions: "Choose what to analyze first.",
  },
  mistakes: "Correct the mistakes first.",
  viewer: "Your role only reads. Ask an admin of your company.",
  previewTitle: "What it finds",
  previewRunning: (found: number, waiting: number) =>
    waiting === 0
      ? `Collecting the newest postings: ${number(found)} so far.`
      : `Collecting the newest postings: ${number(found)} so far, ${number(waiting)} still being analyzed.`,
  previewDone: (found: number) => `${count(found, "posting")} found.`,
  previewRemoved: "The preview is deleted.",
  previewFailed: "No platform answered.",
  previewFirst: (shown: number, all: number) => `The newest ${number(shown)} of ${number(all)} are shown.`,
  previewNone: "Nothing was found in the newest postings",
  previewNoneHelp: "Try fewer or other words, or more platforms. A search that continues may still find some later.",
  previewOutdated: "You have changed the search since. Look again to see what it finds now.",
  previewPostings: "Postings of the preview",
  marking: "Mark what belongs to your search and what does not: an exclusion of what the others share is proposed.",
  hit: "Belongs",
  miss: "Does not",
  marked: (hits: number, misses: number) => `${number(hits)} belong, ${number(misses)} do not.`,
  markMore: "Mark two or more that do not belong to get a proposal.",
  proposesNothing: "Those that do not belong share no words that the others lack.",
  exclude: (written: string) => `Add ${quoted(written)}`,
  excludes: (misses: number, others: number) =>
    others === 0
      ? `leaves out ${count(misses, "posting that does not belong", "postings that do not belong")} and no other`
      : `leaves out ${count(misses, "posting that does not belong", "postings that do not belong")} and ${number(others)} not marked`,
  excluded: (written: string) => `${quoted(written)} is added to the words.`,
  keys: { next: "Next posting", previous: "Previous posting", hit: "It belongs", miss: "It does not belong" },
};

/** The language of keywords, as docs/queries.md explains it. */
export const queryHelp = {
  title: "How to write a query",
  write: "Write",
  finds: "Finds postings with",
  rows: [
    ["kestrel", "the word, in upper or lower case, with or without accents; also #kestrel"],
    ["kestrel phone", "both words, in any order and distance"],
    ['"kestrel phone"', "the words one after the other"],
    ["kestrel, peregrine", "either term; commas separate up to 10 of them"],
    ["kestrel (phone OR tablet)", "the first word and one of the two; OR in upper case"],
    ["kestrel AND phone NOT case", "the same as kestrel phone -case; AND and NOT in upper case"],
    ["kes*", "words that begin so, from three letters on; two in Korean and Chinese"],
    ['kestrel -case -"second hand"', "the first word, but neither the second nor the phrase"],
    ["kestrel -(case OR cover)", "the first word, but neither of the two"],
    ["#kestrel", "the tag, in the text or the list of tags"],
    ["@kestrel_eg", "a mention of this name"],
    ["🔥", "the emoji, in any skin tone"],
  ] as readonly (readonly [string, string])[],
  rules: [
    "A minus binds tighter than OR, OR tighter than a space, and a space tighter than a comma: a b OR c is a (b OR c).",
    "An exclusion applies to its own term only.",
    "A word finds whole words: kestrel does not find kestrels, but kestrel's, as 삼성 finds 삼성이.",
    "Other operators are words: lang:en finds the words lang and en. Web addresses are not searched.",
    "Keywords have 500 characters at most.",
  ],
};
