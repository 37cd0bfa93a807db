import { getOption } from "@bufbuild/protobuf";
import { AnalysisKind, analysis_kind as analysisKind } from "@hourglass/proto/options/v1/analyses";
import { AnalysisTypeSchema } from "@hourglass/proto/operation/v1/operation";
import { enumSpellings, type FieldViolation, giveAtMost, type Metadata } from "@hourglass/runtime";
import { parseGroup } from "./groups.js";
import type { AnalysisName, ContentKind, ContentValue, ResultOptions } from "./store.js";

/** What its creator calls an operation. */
interface Labels {
  /** Empty without one. */
  name: string;
  metadata: Metadata;
}

/** A request as received. */
export interface NewOperation extends ResultOptions, Labels {
  type: "text" | "file";
  analyses: AnalysisName[];
  contents: NewContent[];
  /** As sent; empty counts as absent. */
  groups: string[];
  /** Empty without one. */
  idempotencyKey: string;
}

export interface NewContent {
  kind: ContentKind;
  value: ContentValue;
}

/** A request that has passed all checks. */
export interface CheckedOperation extends ResultOptions, Labels {
  kind: ContentKind;
  analyses: AnalysisName[];
  contents: ContentValue[];
  groups: string[] | null;
}

export interface RequestLimits {
  contentsMax: number;
  /** In code points. */
  textCharactersMax: number;
}

/**
 * Maximum number of members in all groups of one operation. A content in many groups is analyzed and answered that many
 * times, so without a bound a request of 20 MB could demand work and answers a thousand times its size.
 */
const GROUP_MEMBERS_MAX = 100_000;

/** The fields that the rules check. In a request with other errors, some may be missing. */
export interface RequestParts {
  type: NewOperation["type"] | undefined;
  /** May contain numbers that are not analyses. */
  analyses: readonly number[];
  contents: readonly (NewContent | undefined)[];
  groups: readonly string[];
}

/** Finds every invalid field that the rules in proto/ cannot identify by its index. */
export function findRequestViolations(request: RequestParts, limits: RequestLimits): FieldViolation[] {
  return [
    ...analysisViolations(request),
    ...sizeViolations(request, limits),
    ...kindViolations(request),
    ...repeatViolations(request),
    ...groupViolations(request),
  ];
}

/** The request in the form of its record; it has passed all rules. */
export function toChecked(request: NewOperation): CheckedOperation {
  const { analyses, contents, groups, explain, offsets, name, metadata } = request;
  return {
    kind: contents[0]?.kind ?? "text",
    analyses,
    contents: contents.map(({ value }) => value),
    groups: groups.length === 0 ? null : groups,
    explain,
    offsets,
    name,
    metadata,
  };
}

const KINDS = new Map(AnalysisTypeSchema.values.map((value) => [value.number, getOption(value, analysisKind)]));

/** Whether the contract defines the analysis as visual. */
const isVisualType = (type: number): boolean => KINDS.get(type) === AnalysisKind.VISUAL;

/** Names of the textual analyses, in the order of the contract. */
const TEXTUAL_NAMES: readonly string[] = [...enumSpellings(AnalysisTypeSchema)]
  .filter(([number]) => KINDS.get(number) === AnalysisKind.TEXTUAL)
  .map(([, name]) => name);

/**
 * Visual analyses do not apply to texts. An unknown analysis is a different violation and does not count as visual
 * here.
 */
function analysisViolations({ type, analyses }: RequestParts): FieldViolation[] {
  if (type !== "text" || analyses.length === 0 || !analyses.every(isVisualType)) return [];
  const last = TEXTUAL_NAMES.at(-1) ?? "";
  const names = `${TEXTUAL_NAMES.slice(0, -1).join(", ")} or ${last}`;
  return [{ field: "analyses", message: `Give at least one textual analysis for texts: ${names}.` }];
}

function sizeViolations({ contents }: RequestParts, limits: RequestLimits): FieldViolation[] {
  const violations: FieldViolation[] = [];
  if (contents.length > limits.contentsMax) {
    violations.push({ field: "contents", message: giveAtMost(limits.contentsMax, "item") });
  }
  contents.forEach((content, index) => {
    if (content?.kind !== "text" || !isLonger(String(content.value), limits.textCharactersMax)) return;
    violations.push({
      field: `contents[${index}]`,
      message: giveAtMost(limits.textCharactersMax, "character"),
    });
  });
  return violations;
}

/** Counts code points only if the number of code units, which is never lower, exceeds the maximum. */
function isLonger(text: string, codePointsMax: number): boolean {
  if (text.length > 2 * codePointsMax) return true;
  let codePoints = text.length;
  for (let at = 0; at < text.length && codePoints > codePointsMax; at++) {
    if (isHighSurrogate(text.charCodeAt(at))) codePoints--;
  }
  return codePoints > codePointsMax;
}

/** The first half of a code point that takes two code units; texts are well-formed. */
function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function kindViolations({ type, contents }: RequestParts): FieldViolation[] {
  if (type === undefined) return [];
  const message =
    type === "text"
      ? "Give a text: the type of this operation is text."
      : "Give a file id or a URL: the type of this operation is file.";
  return contents.flatMap((content, index) => {
    const fits = content === undefined || (content.kind === "text") === (type === "text");
    return fits ? [] : [{ field: `contents[${index}]`, message }];
  });
}

function repeatViolations({ contents }: RequestParts): FieldViolation[] {
  const seen = new Map<ContentValue, number>();
  const violations: FieldViolation[] = [];
  contents.forEach((content, index) => {
    if (content === undefined || content.kind === "text") return;
    const earlier = seen.get(content.value);
    if (earlier === undefined) seen.set(content.value, index);
    else
      violations.push({
        field: `contents[${index}]`,
        message: `Give each file only once: contents[${earlier}] is the same.`,
      });
  });
  return violations;
}

function groupViolations({ groups, contents }: RequestParts): FieldViolation[] {
  const violations: FieldViolation[] = [];
  let members = 0;
  for (const [index, entry] of groups.entries()) {
    members += membersOf(entry);
    // Further groups are not read: there may be fifty times as many members.
    if (members > GROUP_MEMBERS_MAX) {
      const message = `Give at most ${GROUP_MEMBERS_MAX.toLocaleString("en-US")} indexes in all groups together.`;
      return [...violations, { field: "contents_groups", message }];
    }
    const message = groupProblem(parseGroup(entry), contents.length);
    if (message !== undefined) violations.push({ field: `contents_groups[${index}]`, message });
  }
  return violations;
}

/** The members that `parseGroup` would find, for an empty group one. */
function membersOf(entry: string): number {
  let members = 1;
  for (let comma = entry.indexOf(","); comma !== -1; comma = entry.indexOf(",", comma + 1)) members++;
  return members;
}

function groupProblem(group: readonly number[], contentsCount: number): string | undefined {
  if (group.length === 0) return "Give at least one index into contents.";
  if (group.some(Number.isNaN)) return "Give indexes into contents, separated by commas, such as 0,1,2.";
  const outside = group.find((member) => member >= contentsCount);
  if (outside !== undefined) return `Give indexes of contents only: there is no contents[${outside}].`;
  const seen = new Set<number>();
  const repeated = group.find((member) => seen.size === seen.add(member).size);
  return repeated === undefined ? undefined : `Give each index only once: ${repeated} is repeated.`;
}
