import type { NewAnalysis } from "../../data/analyses.js";
import { type AnalysisType, MEDIA_ANALYSES, TEXT_ANALYSES } from "../../data/analysis-types.js";
import { readAddresses, type AddressFault } from "./addresses.js";
import { groupsOfValues, readGroups, type GroupFault, type Grouping } from "./groups.js";
import { readTable, type TextTable } from "./table-text.js";
import { countRepeated, splitTexts, tooLong, withoutEmpty, type Split, type TooLong } from "./texts.js";

/** What is analyzed: typed texts, uploaded files, or files at addresses. */
export const KINDS = ["text", "file", "url"] as const;
export type Kind = (typeof KINDS)[number];

/** What has been typed and chosen so far. */
export interface Draft {
  readonly text: string;
  readonly split: Split;
  readonly column: number;
  readonly hasHeader: boolean;
  readonly urls: string;
  /** Of more contents than one analysis takes: which part of them, from 0; undefined: none is chosen. */
  readonly part: number | undefined;
  readonly analyses: readonly AnalysisType[];
  readonly explain: boolean;
  readonly name: string;
  readonly grouping: Grouping;
  readonly groupColumn: number;
  readonly ownGroups: string;
}

export const EMPTY_DRAFT: Draft = {
  text: "",
  split: "lines",
  column: 0,
  hasHeader: true,
  urls: "",
  part: undefined,
  analyses: ["sentiment-simple", "sentiment-real", "topic", "intention", "object-id", "face-id", "caption"],
  explain: true,
  name: "",
  grouping: "together",
  groupColumn: 0,
  ownGroups: "",
};

/** The texts of a draft, and what is noteworthy or wrong about them. */
export interface DraftTexts {
  readonly texts: readonly string[];
  readonly emptyCount: number;
  readonly repeatedCount: number;
  readonly longest: number;
  readonly tooLong: readonly TooLong[];
  /** The table, where a column is taken; undefined: the text is none. */
  readonly table: TextTable | undefined;
  /** Values of the column to group by, of each text. */
  readonly groupValues: readonly string[];
}

type TextFields = Pick<Draft, "text" | "split" | "column" | "hasHeader" | "groupColumn">;

/** The texts that a draft holds. */
export function textsOf(
  { text, split, column, hasHeader, groupColumn }: TextFields,
  charactersMax: number,
): DraftTexts {
  const table = split === "column" ? readTable(text) : undefined;
  const rows = (table?.rows ?? []).slice(hasHeader ? 1 : 0);
  const { texts, emptyCount } =
    split === "column" ? withoutEmpty(rows.map((row) => row[column] ?? "")) : splitTexts(text, split);
  return {
    texts,
    emptyCount,
    repeatedCount: countRepeated(texts),
    longest: texts.reduce((most, { length }) => Math.max(most, length), 0),
    tooLong: tooLong(texts, charactersMax),
    table,
    groupValues: rows.filter((row) => (row[column] ?? "").trim() !== "").map((row) => row[groupColumn] ?? ""),
  };
}

/** The addresses of a draft. */
export function addressesOf({ urls }: Pick<Draft, "urls">): {
  readonly addresses: readonly string[];
  readonly faults: readonly AddressFault[];
} {
  return readAddresses(urls);
}

/** The groups of a draft, for `contents_groups`; undefined: all together, as the interface does by itself. */
export function groupsOf(
  draft: Pick<Draft, "grouping" | "ownGroups">,
  count: number,
  groupValues: readonly string[],
): { readonly groups: readonly string[] | undefined; readonly faults: readonly GroupFault[] } {
  switch (draft.grouping) {
    case "together":
      return { groups: undefined, faults: [] };
    case "each":
      return { groups: Array.from({ length: count }, (_, index) => String(index)), faults: [] };
    case "column":
      return { groups: groupsOfValues(groupValues.slice(0, count)), faults: [] };
    case "own":
      return readGroups(draft.ownGroups, count);
  }
}

/** The chosen analyses that apply to a kind of contents. */
export function applicable(analyses: readonly AnalysisType[], kind: Kind): AnalysisType[] {
  const known: readonly AnalysisType[] = kind === "text" ? TEXT_ANALYSES : [...TEXT_ANALYSES, ...MEDIA_ANALYSES];
  return known.filter((analysis) => analyses.includes(analysis));
}

/** What the interface is asked for. */
export function requestOf(
  draft: Draft,
  kind: Kind,
  contents: readonly (string | number)[],
  groups: readonly string[] | undefined,
): NewAnalysis {
  const analyses = applicable(draft.analyses, kind);
  const name = draft.name.trim();
  const shared = {
    analyses,
    explain: draft.explain,
    // What this page marks are places of JavaScript's strings.
    offsets: "utf16" as const,
    ...(name === "" ? {} : { name }),
    ...(groups === undefined || !analyses.includes("personality-mb") ? {} : { contents_groups: [...groups] }),
  };
  if (kind === "text") return { type: "text", contents: contents.map(String), ...shared };
  if (kind === "url") return { type: "file", contents: contents.map(String), ...shared };
  return { type: "file", contents: contents.map(Number), ...shared };
}

/** A draft that holds the same as an analysis; its files are taken, and cannot be analyzed twice. */
export function draftOf(query: {
  readonly type: string;
  readonly analyses: readonly AnalysisType[];
  readonly contents: readonly (string | number)[];
}): { readonly draft: Draft; readonly kind: Kind } {
  const texts = query.contents.filter((content) => typeof content === "string");
  const analyses = query.analyses;
  if (query.type !== "text") {
    const kind = texts.length > 0 || query.contents.length === 0 ? "url" : "file";
    return { kind, draft: { ...EMPTY_DRAFT, analyses, urls: texts.join("\n") } };
  }
  return { kind: "text", draft: { ...EMPTY_DRAFT, analyses, ...asTyped(texts) } };
}

/** Texts as they could have been typed. */
function asTyped(texts: readonly string[]): Partial<Draft> {
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return { text: only, split: "whole" };
  if (!texts.some((text) => /[\r\n]/.test(text))) return { text: texts.join("\n"), split: "lines" };
  // Lines within texts: a column of a table keeps them.
  const rows = texts.map((text, at) => `${at + 1},"${text.replaceAll('"', '""')}"`);
  return { text: ["number,text", ...rows].join("\n"), split: "column", column: 1, hasHeader: true };
}
