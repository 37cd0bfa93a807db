import type { Json } from "@hourglass/runtime";
import * as z from "zod";
import { maybe } from "../../schemas.js";
import type { PlatformErrorKind } from "../../connector.js";
import type { SourceName } from "./source.js";

const json = z.json().transform((value) => value);
const problemSchema = z.object({
  kind: z.enum(["auth", "rate", "budget", "temporary", "permanent"] satisfies PlatformErrorKind[]),
  message: z.string(),
});
const stateSchema = z.object({
  cursor: json,
  page: json,
  until: maybe(z.number()),
  problem: maybe(problemSchema),
  isDone: maybe(z.boolean()),
});
const statesSchema = z.object({
  sources: z.partialRecord(z.enum(["feeds", "gdelt", "newsapi"] satisfies SourceName[]), stateSchema),
  hasRead: maybe(z.boolean()),
});

/** Why a source was left out. */
export interface SourceProblem {
  readonly kind: PlatformErrorKind;
  readonly message: string;
}

/** Where one source of a search stands. */
export interface SourceState {
  /** As its connector gave it. */
  readonly cursor: Json;
  /** The page with which it continues; null: the first one after the cursor. */
  readonly page: Json;
  /** It is not asked before this time, in milliseconds since the epoch. */
  readonly until?: number | undefined;
  /** Why, if it has failed. */
  readonly problem?: SourceProblem | undefined;
  /** Whether it has ended in this poll. */
  readonly isDone?: boolean | undefined;
}

/** Where all sources of a search stand. */
export interface States {
  readonly sources: Readonly<Partial<Record<SourceName, SourceState>>>;
  /** Whether a source was read in this poll. */
  readonly hasRead: boolean;
}

const NEW: SourceState = { cursor: null, page: null };

/** The state of a source; that of a new one if it has none. */
export function stateOf({ sources }: States, name: SourceName): SourceState {
  return sources[name] ?? NEW;
}

/** The states with which a page begins. A cursor from before there were several sources is that of the feeds. */
export function statesOf(pageToken: Json, cursor: Json): States {
  const inPoll = statesSchema.safeParse(pageToken).data;
  if (inPoll !== undefined) return { sources: inPoll.sources, hasRead: inPoll.hasRead ?? false };
  const kept = statesSchema.safeParse(cursor).data?.sources as States["sources"] | undefined;
  return { sources: kept ?? { feeds: { ...NEW, cursor } }, hasRead: false };
}

/** The position of the feeds alone, also if there were other sources before. */
export function feedsCursorOf(cursor: Json): Json {
  return stateOf(statesOf(null, cursor), "feeds").cursor;
}

/** States as a page token. */
export function tokenOf({ sources, hasRead }: States): Json {
  return { sources: jsonOf(sources), hasRead };
}

/** States as a cursor: the next poll asks all sources again, each where it stands. */
export function cursorOf({ sources }: States): Json {
  const entries = Object.entries(sources).map(([name, state]) => [name, { ...state, isDone: undefined }] as const);
  return { sources: jsonOf(Object.fromEntries(entries)) };
}

/** Without what is undefined. */
function jsonOf(sources: States["sources"]): Json {
  return JSON.parse(JSON.stringify(sources)) as Json;
}
