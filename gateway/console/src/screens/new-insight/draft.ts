import type { components } from "@hourglass/client";
import type { Insight, NewInsight } from "../../data/new-insight.js";

type Schemas = components["schemas"];
export type Platform = Schemas["Platform"];
export type Dimension = Schemas["InsightDimension"];
export type FollowKind = keyof Schemas["Follow"];

export const DIMENSIONS: readonly Dimension[] = ["textual", "visual", "audial"];

/** What of a platform a search can follow besides the sources of the server. */
export const FOLLOWED: Readonly<Record<string, FollowKind>> = {
  news: "feeds",
  reddit: "subreddits",
  facebook: "pages",
  linkedin: "organisations",
};
const FOLLOW_KINDS: readonly FollowKind[] = ["feeds", "subreddits", "pages", "organisations"];

/** What is typed into the form of a new insight. */
export interface Draft {
  readonly keywords: string;
  /** Undefined: those that are ready on this server. */
  readonly platforms: readonly Platform[] | undefined;
  readonly dimensions: readonly Dimension[];
  readonly location: string;
  /** A source a line. */
  readonly follow: Readonly<Record<FollowKind, string>>;
  readonly name: string;
  readonly note: string;
}

export const EMPTY_DRAFT: Draft = {
  keywords: "",
  platforms: undefined,
  dimensions: ["textual"],
  location: "",
  follow: { feeds: "", subreddits: "", pages: "", organisations: "" },
  name: "",
  note: "",
};

/** What an insight was created with, to create another one like it. */
export function draftOf({ query, name = "", note = "" }: Pick<Insight, "query" | "name" | "note">): Draft {
  const { keywords, platforms, dimensions, location, follow } = query;
  const lines = (kind: FollowKind): string => (follow?.[kind] ?? []).join("\n");
  return {
    keywords,
    platforms,
    dimensions,
    location: location ?? "",
    follow: {
      feeds: lines("feeds"),
      subreddits: lines("subreddits"),
      pages: lines("pages"),
      organisations: lines("organisations"),
    },
    name,
    note,
  };
}

/** The request that a draft stands for, on these platforms. Sources of other platforms are left out. */
export function requestOf(draft: Draft, platforms: readonly Platform[], isPreview = false): NewInsight {
  const { keywords, dimensions, location, name, note } = draft;
  const kinds = FOLLOW_KINDS.filter((kind) => platforms.some((platform) => FOLLOWED[platform] === kind));
  const follow = Object.fromEntries(
    kinds.map((kind) => [kind, linesOf(draft.follow[kind])] as const).filter(([, sources]) => sources.length > 0),
  );
  return {
    query: {
      // As typed: the places of mistakes count every character.
      keywords,
      platforms: [...platforms],
      dimensions: [...dimensions],
      ...(location.trim() === "" ? {} : { location: location.trim() }),
      ...(Object.keys(follow).length === 0 ? {} : { follow }),
      ...(isPreview ? { sneak_peek: true } : {}),
    },
    ...(name.trim() === "" ? {} : { name: name.trim() }),
    ...(note.trim() === "" ? {} : { note: note.trim() }),
  };
}

/** The sources of a field, one from each line that is not empty. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** What must be given before a search can start. */
export type Missing = "keywords" | "platforms" | "dimensions";

/** The first thing that is missing; undefined if nothing is. */
export function missingIn({ keywords, dimensions }: Draft, platforms: readonly Platform[]): Missing | undefined {
  if (keywords.trim() === "") return "keywords";
  if (platforms.length === 0) return "platforms";
  return dimensions.length === 0 ? "dimensions" : undefined;
}

/** Keywords stand on one line: others than spaces between words are refused. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\r\n\t]+/g, " ");
}
