import { bytes, count } from "../numbers.js";

/** What became of the rows of a file. */
export interface ImportCounts {
  readonly isTrial: boolean;
  readonly accepted: number;
  readonly duplicates: number;
  readonly unmatched: number;
  readonly skipped: number;
}

/** How the collection of an insight is going, and what can be erased. */
export const collectionWords = {
  whatToDo: "What to do",
  platforms: "Platforms",
  columnsHelp:
    "Fetched is what a platform gave, matched what has your words, kept what was stored for the first time. Times are yours.",
  columns: {
    platform: "Platform",
    state: "State",
    next: "Next look",
    success: "Last success",
    asked: "Asked",
    fetched: "Fetched",
    matched: "Matched",
    kept: "Kept",
    again: "Known before",
    unread: "Unreadable",
  },
  states: {
    collecting: "is looking now",
    waiting: "waits for its next look",
    not_configured: "lacks settings of this server",
    auth_failed: "the credentials are rejected",
    budget_spent: "its budget of requests is spent until the next look",
    failing: "the last look failed and is repeated",
    stalled: "a look is due, but this server does not do it",
    importing: "takes what is imported",
  } as Readonly<Record<string, string>>,
  paused: "paused",
  ended: "has looked once, as a preview does",
  never: "never",
  noNext: "none planned",
  cures: {
    not_configured:
      "The people who run this server set what is missing, and start it again. It then collects by itself.",
    auth_failed:
      "The people who run this server renew the credentials. It is tried again every hour, and at once after a restart.",
    stalled: "The people who run this server look into its log and its dead jobs. Nothing is collected until then.",
    failing: "It is tried again by itself. If it lasts, the people who run this server check it with this command.",
  } as Readonly<Record<string, string>>,
  nextTry: (at: string) => `It is tried again at ${at}.`,
  cure: "The people who run this server check it with this command.",
  copyCheck: "Copy the command",
  setUp: "What to set up",
  setUpOf: (platform: string) => `What to set up for ${platform}`,
  coverage: "Collected",
  coverageSentence: (from: string, to: string) =>
    `What is known to be complete, and what is not, from ${from} to ${to}. A gap is not a lack of postings.`,
  coverageNone: "Nothing has been collected yet.",
  coverageColumns: ["Platform", "From", "To", "Collected", "Why not complete"],
  import: {
    title: "Import postings",
    help: "A file of CSV or JSON Lines, up to 10,000 postings. Try it first: nothing is stored then, and you see what would be.",
    choose: "Choose a file",
    chosen: (name: string, size: number) => `${name}, ${bytes(size)}`,
    chooseFirst: "Choose a file first.",
    busy: "The file is being read.",
    format: "How the file writes its times",
    formatHelp: "State it where days could be read in two ways, or times are bare numbers.",
    formats: {
      "": "Recognize it",
      "d/m/yyyy": "Day first, such as 31/1/2026",
      "m/d/yyyy": "Month first, such as 1/31/2026",
      iso: "Year first, such as 2026-01-31 12:00",
      unix: "Seconds since 1970",
      unix_ms: "Milliseconds since 1970",
      excel: "Days as spreadsheets count them",
    },
    zone: "Time zone of the times",
    map: "Columns",
    mapHelp:
      "For CSV whose columns have other names: a JSON object of our names and yours, as the documentation of imports says.",
    match: "Leave out what does not match the words of this insight",
    trial: "Try it",
    import: "Import",
    warnings: "What was done with the file",
    leftOut: "Rows that are left out",
    row: (row: number) => `Row ${row}`,
    done: ({ isTrial, accepted, duplicates, unmatched, skipped }: ImportCounts) => {
      const others = [
        ...(duplicates > 0 ? [`${count(duplicates, "is", "are")} known already`] : []),
        ...(unmatched > 0 ? [`${count(unmatched, "does", "do")} not match`] : []),
        ...(skipped > 0 ? [`${count(skipped, "row is", "rows are")} left out`] : []),
      ];
      const verb = isTrial ? "would be stored" : accepted === 1 ? "was stored" : "were stored";
      return `${[`${count(accepted, "posting")} ${verb}`, ...others].join(", ")}.`;
    },
  },
  remove: "Delete this insight",
  removeHelp: (postings: number) =>
    `It ends, and ${count(postings, "posting")} of it are erased. You have ten seconds to undo it.`,
  erase: {
    title: "Erase by author",
    help: "If somebody asks you to: all that they posted is erased from all insights of your company, and stays out.",
    author: "Name, user name or id of the author",
    find: "Find",
    typeFirst: "Type a name first.",
    found: (authors: number) =>
      authors === 0 ? "No posting of this insight is by" : `${count(authors, "author", "authors")} found for`,
    look: "Look at the postings",
    byId: "If this is the id of an author on a platform, what other insights have of them is erased, and later looks skip them.",
    platform: "Platform",
  },
};
