import type { AnalysisType } from "../../data/analysis-types.js";
import { bytes, count, number, probability } from "../numbers.js";
import { duration } from "../times.js";
import { quoted } from "../quoted.js";

const TELLS = {
  "sentiment-simple": "Positive, neutral or negative about its subject.",
  "sentiment-real": "The closest of 20 emotions of the Hourglass.",
  topic: "Names and things that a text is about.",
  "spam-detection": "Unwanted advertising and fraud.",
  "personality-mb": "Four letters for the style of writing. Never validated: do not judge people by it.",
  intention: "Why it was written: to state, to value, to wish, to propose …",
  "face-id": "Whether there are faces, and where; names only of people who were enrolled.",
  "object-id": "What can be seen, of 80 kinds, with its place.",
  "activity-id": "What people do.",
  "logo-id": "Brands, by their printed names and by marks that you added.",
  caption: "One sentence on a picture; for video, one for each scene.",
} satisfies Record<AnalysisType, string>;

const METRICS: Readonly<Record<string, (share: string) => string>> = {
  accuracy: (share) => `right in ${share}`,
  f1: (share) => `F1 ${share}`,
  precision: (share) => `${share} of what it reports is right`,
  recall: (share) => `finds ${share}`,
  word_error_rate: (share) => `${share} of words wrong`,
  character_error_rate: (share) => `${share} of characters wrong`,
  false_positives: (share) => `${share} false alarms`,
  failures: (share) => `fails in ${share}`,
};

const ERROR_CODES: Readonly<Record<string, string>> = {
  unreadable:
    "It could not be fetched or read. Check that the address is public and the file opens, and that it is PNG, JPG, MP3 or MP4.",
  analysis_failed:
    "The analysis itself failed. Analyze it once more; if it fails again, tell the people who run this server.",
  unknown_analysis: "A newer version of the server made this result. Look at it there.",
  speech_unclear: "Somebody speaks, but not clearly enough, or not in English. A recording with less noise helps.",
  unsupported_script: "There is writing in it in a script that cannot be read here, such as Cyrillic or Arabic.",
  not_applicable:
    "There is nothing in it that this analysis is about, such as words, sound or pictures. Nothing is wrong.",
};

const SOURCES: Readonly<Record<string, string>> = {
  content: "Text",
  transcript: "What is said",
  ocr: "What is written in it",
  group: "Group",
};

const GROUPINGS: Readonly<Record<string, string>> = {
  together: "all texts together",
  each: "each text by itself",
  column: "texts equal in a column",
  own: "groups of my own",
};

/** How many contents of a kind. */
function contentsOf(contents: number, kind: string): string {
  return kind === "text"
    ? count(contents, "text")
    : kind === "url"
      ? count(contents, "address", "addresses")
      : count(contents, "file");
}

export interface Titled {
  readonly id: number;
  readonly name?: string;
  readonly preview?: string | null;
  readonly query: { readonly type: string };
}

/** Analyses: the list, a new one, and results. */
export const analysisWords = {
  title: (analysis: Titled) => {
    const { id, name, preview, query } = analysis;
    if (name !== undefined && name !== "") return name;
    const isFileId = query.type === "file" && /^\d+$/.test(preview ?? "");
    return isFileId || (preview ?? "") === "" ? `Analysis ${id}` : (preview ?? "");
  },
  viewer: "Your role only reads. Ask an admin of your company.",
  one: "Analysis",
  number: (id: number) => `Analysis ${id}`,
  types: { text: "texts", file: "files" } as Readonly<Record<string, string>>,
  counted: (type: string, total: number) =>
    type === "text" ? count(total, "text") : type === "file" ? count(total, "file") : `${number(total)} ${type}`,

  list: {
    title: "Analyses",
    create: "New analysis",
    search: "Words in the name or the first text",
    filters: "Filters",
    type: "Type",
    status: "State",
    analysis: "Analysis",
    from: "From (UTC)",
    to: "To (UTC)",
    any: "any",
    clear: "Clear",
    without: (filter: string) => `Without ${filter}`,
    chips: {
      type: (value: string) => value,
      status: (value: string) => value,
      analysis: (value: string) => value,
      from: (value: string) => `from ${value}`,
      to: (value: string) => `to ${value}`,
      q: (value: string) => `“${quoted(value)}”`,
    },
    notKnown: (value: string) => `${quoted(value)} (not known)`,
    rows: "Analyses, newest first",
    progress: (done: number, total: number) => `${number(done)} of ${number(total)} done`,
    failed: (failed: number) => `${number(failed)} with an error`,
    remove: (title: string) => `Delete ${quoted(title)}`,
    removed: (title: string) => `“${quoted(title)}” is deleted.`,
    nothing: "No analyses yet",
    nothingHelp: "Have texts, pictures, sound or video analyzed, and see why each got its labels.",
    noMatch: "No analysis matches",
    noMatchHelp: "Remove a filter to see more:",
    noMatchYet: "None found so far",
    noMatchYetHelp: "Only the newest analyses were looked through.",
    lookFurther: "Look further",
    next: "Next analysis",
    previous: "Previous analysis",
    first: "First",
    last: "Last",
    focusFilters: "Filters",
  },

  create: {
    title: "New analysis",
    kinds: { text: "Texts", file: "Files", url: "Addresses of files" },
    kindsLabel: "What to analyze",
    again: "Copied from another analysis. Change what you like.",
    textLabel: "Texts",
    textPlaceholder: "I love the new museum, but the queue was terrible.",
    split: "Each text is",
    splits: {
      lines: "a line",
      blocks: "a block between empty lines",
      whole: "all of it",
      column: "a cell in a column of a table (CSV)",
    } as Readonly<Record<string, string>>,
    looksLikeTable: (columns: number) => `This looks like a table with ${number(columns)} columns.`,
    takeColumn: "Take one column",
    noTable: "This is no table: rows need equally many cells, separated by commas, semicolons or tabs.",
    column: "Column with the texts",
    columnName: (at: number, name: string) => (name === "" ? `Column ${number(at)}` : quoted(name)),
    header: "The first row holds names, no text",
    readFile: "Read a file (.txt, .csv)",
    samples: "Try a sample",
    sampleNames: { review: "A review", mixed: "Three posts", spam: "A dubious message" },
    sampleTexts: {
      review:
        "I love the new museum in Lisbon, but the queue was terrible and the staff made me angry. Next time I will book ahead.",
      mixed:
        "The ministry confirms the recall of 4,000 cars.\nI am so afraid that my mother will not get well again.\nPlease repair the lift at the station, it has been broken for weeks!",
      spam: "Congratulations!!! You won a $1000 gift card. Click http://win.example now to claim your prize.",
    },
    texts: (texts: number) => count(texts, "text"),
    longest: (characters: number) => `longest ${count(characters, "character")}`,
    empty: (texts: number) => `${count(texts, "empty one")} left out`,
    repeated: (texts: number) => `${number(texts)} repeated`,
    tooLong: (at: number, characters: number, most: number, start: string) =>
      `Text ${number(at)} has ${count(characters, "character")}, at most ${number(most)}: “${quoted(start)}…”. Shorten it, or split it into blocks.`,
    moreFaults: (faults: number) => `And ${number(faults)} more.`,
    tooMany: (given: number, most: number, kind: string) =>
      `${contentsOf(given, kind)}; one analysis takes at most ${number(most)}. Choose a part, and analyze the others after it.`,
    largeText: (characters: number) => `${count(characters, "character")}: too many to edit them here.`,
    takenPart: (taken: number, given: number, kind: string) =>
      `${number(taken)} of ${contentsOf(given, kind)} are analyzed, ${number(given - taken)} left out: analyze them afterwards, as another part.`,
    part: "Which of them",
    noPart: "choose a part",
    partFrom: (first: number, last: number) =>
      first === last ? `only ${number(first)}` : `${number(first)} to ${number(last)}`,
    tooLarge: (size: number, most: number) =>
      `This makes a request of ${bytes(size)}, at most ${bytes(most)}. Split it into several analyses.`,
    nothingYet: {
      text: "Type or paste a text first.",
      file: "Add a file first.",
      url: "Give an address first.",
    } as Readonly<Record<string, string>>,
    stillUploading: "Wait until all files are uploaded, or take the others out.",
    mendFirst: "Mend what is marked first.",
    chooseAnalysis: "Choose an analysis first.",
    chooseTextual: "Texts need an analysis of texts.",

    drop: "Drop pictures, sound or video here, or paste them",
    dropHelp: (size: number, seconds: number, most: number) =>
      `PNG, JPG, MP3 and MP4, up to ${bytes(size)}, ${duration(seconds)} and ${count(most, "file")}.`,
    pick: "Choose files",
    files: "Files",
    fileStates: {
      checking: "checking",
      waiting: "waits",
      uploading: (percent: string) => percent,
      ready: "uploaded",
    },
    uploadOf: (name: string) => `Upload of ${quoted(name)}`,
    takeOut: (name: string) => `Take out ${quoted(name)}`,
    cancelUpload: (name: string) => `Cancel the upload of ${quoted(name)}`,
    retryUpload: (name: string) => `Try ${quoted(name)} again`,
    retryAll: (files: number) => `Try all ${number(files)} failed ones again`,
    removeRefused: (files: number) => `Take out ${number(files)} refused`,
    summary: (ready: number, total: number) => `${number(ready)} of ${count(total, "file")} uploaded`,
    refusedCount: (files: number) => `${number(files)} refused`,
    failedCount: (files: number) => `${number(files)} failed`,
    beyond: (files: number, most: number) =>
      `${count(files, "file")} left out: one analysis takes at most ${number(most)}. Put them into another one.`,
    repeatedFiles: (files: number) => `${count(files, "file")} left out: in the list already.`,
    refusals: {
      empty: "It is empty.",
      tooLarge: (size: number, most: number) => `It has ${bytes(size)}, at most ${bytes(most)}. Make it smaller.`,
      gif: "GIF is taken only by address: put it on the web and give its address, or save it as PNG.",
      other: (kind: string) => `${kind} is not taken. Save it as PNG, JPG, MP3 or MP4.`,
      unknown: "It is no picture, sound or video. PNG, JPG, MP3 and MP4 are taken.",
      pixels: (pixels: number, most: number) =>
        `It has ${number(Math.round(pixels / 1e6))} megapixels, at most ${number(Math.round(most / 1e6))}. Make it smaller.`,
      seconds: (seconds: number, most: number) =>
        `It takes ${duration(seconds)}, at most ${duration(most)}. Cut it into parts.`,
      unreadable: "This browser cannot read it. It may have been moved, or be a folder.",
    },
    unused: (files: number) => `Uploaded earlier and not used (${number(files)})`,
    unusedHelp: "They are kept for some days. Add them, so that nothing has to be uploaded again.",
    addAll: "Add all",
    add: "Add",
    addStored: (name: string) => `Add ${quoted(name)}`,

    urlLabel: "Addresses of pictures, sound or video",
    urlHelp: "One a line, beginning with http:// or https:// and open to everybody. GIF is taken, too.",
    urlFaults: {
      "no-address": "is no address",
      scheme: "does not begin with http:// or https://",
      "too-long": "is longer than 2,048 characters",
      repeated: "is there twice",
    },
    lineFault: (line: number, text: string, what: string) => `Line ${number(line)} ${what}: ${quoted(text)}`,
    addresses: (urls: number) => count(urls, "address", "addresses"),

    analyses: "Analyses",
    groups: { text: "Of texts, and of what is said or written in files", media: "Of pictures and video" },
    all: "All",
    none: "None",
    missing: (reason: string) => `Not on this server: ${reason}`,
    explain: "Say why",
    explainHelp: "Marks the words that decided, and tells the probability of every label. Takes a little longer.",
    name: "Name",
    nameHelp: "To find it again. At most 120 characters.",
    filesName: (first: string, more: number) => (more === 0 ? first : `${quoted(first)} and ${number(more)} more`),
    grouping: "One personality for",
    groupings: GROUPINGS,
    groupColumn: "Column to group by",
    ownGroups: "Groups",
    ownGroupsHelp: "A line for each group: the numbers of its texts, such as 1-3, 7.",
    groupFaults: {
      syntax: "is no list of numbers",
      range: "names a text that there is not",
    },
    tooManyGroups: (groups: number, most: number) => `${number(groups)} groups, at most ${number(most)}.`,
    submit: (contents: number, type: string) =>
      contents === 0 ? "Analyze" : `Analyze ${type === "text" ? count(contents, "text") : count(contents, "file")}`,
    submitKey: "Ctrl Enter",
  },

  tells: (analysis: AnalysisType) => TELLS[analysis],
  quality: (metric: string, share: string) => METRICS[metric]?.(share) ?? `${metric} ${share}`,
  qualityOn: (on: string) => `Measured on: ${on}`,
  noQuality: "quality never measured",
  card: "Model card",
  cardOf: (analysis: string) => `Model card: ${analysis}`,

  result: {
    json: "JSON",
    csv: "CSV",
    delete: "Delete",
    copy: "Analyze again",
    back: "Back to the list",
    gone: "There is no such analysis",
    toList: "All analyses",
    done: (done: number, total: number) => `${number(done)} of ${number(total)} done`,
    failed: (failed: number) => `${number(failed)} with an error`,
    allFine: "no errors",
    by: (at: string) => `created ${at}`,
    took: (seconds: number) =>
      seconds < 1
        ? "took under a second"
        : `took ${seconds < 60 ? count(Math.round(seconds), "second") : duration(seconds)}`,
    runningTitle: "Being analyzed",
    waitingTitle: "Waiting for its turn",
    runningHelp: "You may leave this page; the analysis runs on the server. Results come when all contents are done.",
    failedTitle: "The analysis failed",
    invalidTitle: "The contents cannot be analyzed",
    failedHelp:
      "Nothing is wrong with your contents. Analyze them again; if that fails, too, tell the people who run this server.",
    contents: "Contents",
    onlyErrors: "Next with an error",
    noMoreErrors: "No further content has an error.",
    next: "Next content",
    previous: "Previous content",
    first: "First content",
    last: "Last content",
    nextError: "Next content with an error",
    why: "Mark the words of the next analysis",
    position: (at: number, total: number) => `${number(at)} of ${number(total)}`,
    fileName: (id: number) => `File ${number(id)}`,
    noSuchContent: (at: string, total: number) =>
      `There is no content ${quoted(at)}; this analysis has ${number(total)}.`,
    error: "Not everything worked",
    notApplicable: "Not every analysis applies",
    errorRow: "with an error",
    errorHelp: (code: string) => ERROR_CODES[code] ?? "",
    code: (code: string) => `Code: ${code}`,
    sources: SOURCES,
    source: (source: string) => SOURCES[source] ?? source,
    markedFor: "Marked words:",
    markNone: "none",
    topics: "Topics",
    noTopics: "It names nothing in particular.",
    topicTypes: { entity: "names", "noun-chunk": "things" } as Readonly<Record<string, string>>,
    topicKinds: {
      PERSON: "person",
      ORG: "organization",
      GPE: "place",
      LOC: "place",
      FAC: "building",
      PRODUCT: "product",
      EVENT: "event",
      WORK_OF_ART: "work",
      DATE: "date",
      MONEY: "money",
      NORP: "group",
    } as Readonly<Record<string, string>>,
    topicCount: (places: number) => `${number(places)}×`,
    topicPlaces: (places: number) => count(places, "place"),
    columns: {
      label: "Label",
      probability: "Probability",
      topic: "Topic",
      kind: "Kind",
      places: "Places",
      count: "Count",
      from: "From",
      to: "To",
      seconds: "Seconds",
    },
    noExplanation: "This analysis was made without reasons: no words are marked, and only the chosen label is known.",
    withExplanation: "Analyze again with reasons",
    speaksFor: (label: string) => `For ${label}:`,
    speaksAgainst: (label: string) => `Against ${label}:`,
    nothingStandsOut: "No single words decided.",
    markTitle: (isFor: boolean, label: string, weight: string) => `${isFor ? "for" : "against"} ${label}, ${weight}`,
    topicTitle: (topic: string) => `topic: ${quoted(topic)}`,
    chosen: (label: string, probability: string) => `${label}, ${probability}.`,
    unsure: (label: string, probability: string) => `Unsure: (${label}), ${probability}.`,
    spamLabels: { spam: "spam", ham: "no spam" } as Readonly<Record<string, string>>,
    personality: {
      axes: [
        ["E", "outward", "I", "inward"],
        ["S", "facts", "N", "ideas"],
        ["T", "logic", "F", "feelings"],
        ["J", "plans", "P", "openness"],
      ] as readonly (readonly [string, string, string, string])[],
      together: (texts: number) => (texts === 1 ? "Of this text." : `Of all ${number(texts)} together.`),
      groupOf: (at: number, groups: number, texts: number) =>
        `Group ${number(at)} of ${number(groups)}, of ${texts === 1 ? "one alone" : `these ${number(texts)} together`}:`,
      moreMembers: (more: number) => `and ${number(more)} more`,
      caveat: "Never validated: do not base a decision about a person on it.",
    },
    nothingDetected: "Nothing found.",
    nsfw: (score: number, at: number | undefined) =>
      `NSFW score ${probability(score)}${at === undefined ? "" : `, highest at ${duration(at)}`}. Look at it yourself before you decide.`,
    noNsfw: (reason: string) => `No NSFW score: ${reason}`,
    boxName: (at: number, label: string) => `${number(at)} ${label}`,
    times: (found: number) => `${number(found)}×`,
    picture: (name: string) => `Picture ${quoted(name)}`,
    pictureHelp: "Tab: next box · b: hide boxes · + − 0: size",
    pictureOf: (name: string, boxes: number) => `${quoted(name)}, ${count(boxes, "box", "boxes")}`,
    boxesOn: "Hide boxes",
    boxesOff: "Show boxes",
    zoomIn: "Larger",
    zoomOut: "Smaller",
    fit: "Fit",
    noPicture: "The picture cannot be shown.",
    foreign: "Pictures and media of other sites are not loaded here; open the address to see it.",
    caption: "Caption",
    scenes: "Scenes",
    written: "Words in it",
    nothingWritten: "Nothing is written in it.",
    transcript: "Transcript",
    nothingSaid: "Nobody speaks.",
    play: "Play or pause",
    momentBefore: "Moment before",
    momentAfter: "Moment after",
    timeline: "When it is seen",
    timelineSentence: (labels: number, seconds: number) => `${count(labels, "label")} in ${duration(seconds)}.`,
    longestSeen: (label: string, seconds: number) => `Longest: ${label}, ${count(seconds, "second")}.`,
    playFrom: (label: string, at: string) => `${label}, from ${at}`,
    playError: "This browser cannot play it.",
    player: (name: string) => `Player of ${quoted(name)}`,
    model: (id: string, version: string) => `${id}, version ${version}`,
    language: (language: string) => `language: ${language}`,
    unknownForm: "This version of the console does not know this kind of result:",
    loadingContents: (contents: number) => `Reading the results of ${count(contents, "content")}.`,
  },
};
