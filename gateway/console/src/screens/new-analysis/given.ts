import { useEffect, useMemo, useState } from "preact/hooks";
import type { AnalysisType } from "../../data/analysis-types.js";
import type { Server } from "../../data/server.js";
import type { UploadQueue } from "../../parts/uploader/upload-queue.js";
import { analysisWords } from "../../words/analyses.js";
import type { Addresses } from "./addresses.js";
import { missingReason } from "./analyses-choice.js";
import { addressesOf, applicable, groupsOf, textsOf, type Draft, type DraftTexts, type Kind } from "./draft.js";
import { partOf } from "./parts.js";
import { bodyBytes } from "./texts.js";

/** Groups that the interface takes. */
export const GROUPS_MAX = 1000;
/** Longer input is looked at when typing pauses. In characters, and in milliseconds. */
const LARGE_INPUT = 100_000;
const PAUSE_MS = 300;

/** What a form holds, as it would be sent. */
export interface Given {
  readonly kind: Kind;
  readonly texts: DraftTexts;
  readonly addresses: Addresses;
  /** All contents that were given, and those that are sent. */
  readonly all: readonly (string | number)[];
  readonly contents: (string | number)[];
  /** Of `all`, where those that are sent begin. */
  readonly start: number;
  /** Analyses that are chosen and ready on this server, and those of them that apply to the contents. */
  readonly chosen: AnalysisType[];
  readonly analyses: readonly AnalysisType[];
  readonly hasPersonality: boolean;
  readonly groups: ReturnType<typeof groupsOf>;
  /** Bytes of the request, as far as they are counted. */
  readonly size: number;
}

/** What the form holds. A long text is read when typing pauses. */
export function useGiven(draft: Draft, kind: Kind, server: Server, queue: UploadQueue): Given {
  const { limits } = server;
  const text = usePaused(draft.text);
  const { split, column, hasHeader, groupColumn, urls } = draft;
  const texts = useMemo(
    () => textsOf({ text, split, column, hasHeader, groupColumn }, limits.text_characters),
    [text, split, column, hasHeader, groupColumn, limits],
  );
  const addresses = useMemo(() => addressesOf({ urls }), [urls]);
  const all = { text: texts.texts, file: queue.fileIds(), url: addresses.addresses }[kind];
  const contents = partOf<string | number>(all, draft.part, limits.contents);
  const chosen = draft.analyses.filter((analysis) => missingReason(server, analysis) === undefined);
  const analyses = applicable(chosen, kind);
  const start = contents.length === all.length ? 0 : (draft.part ?? 0) * limits.contents;
  const size = useMemo(() => bodyBytes(contents, limits.body_bytes), [contents.length, start, texts, limits]);
  return {
    kind,
    texts,
    addresses,
    all,
    contents,
    start,
    chosen,
    analyses,
    hasPersonality: analyses.includes("personality-mb"),
    groups: groupsOf(
      draft,
      contents.length,
      kind === "text" ? partOf(texts.groupValues, draft.part, limits.contents) : [],
    ),
    size,
  };
}

/** Why it cannot be sent yet; undefined if it can. */
export function whyNot(
  given: Given,
  { limits }: Server,
  queue: UploadQueue,
  role: string | undefined,
): string | undefined {
  const w = analysisWords.create;
  const { kind, contents, analyses } = given;
  if (role === "viewer") return analysisWords.viewer;
  if (kind === "file" && queue.items.value.some(({ state }) => UPLOADING.has(state.kind))) return w.stillUploading;
  if (contents.length === 0) return w.nothingYet[kind];
  if (contents.length > limits.contents || given.size > limits.body_bytes) return w.mendFirst;
  if (hasFaults(given)) return w.mendFirst;
  if (analyses.length === 0) return kind === "text" ? w.chooseTextual : w.chooseAnalysis;
  return undefined;
}

const UPLOADING: ReadonlySet<string> = new Set(["checking", "waiting", "uploading"]);

/** Whether something is marked that the server would refuse. */
function hasFaults({ kind, texts, addresses, contents, start, hasPersonality, groups }: Given): boolean {
  const isSent = (index: number): boolean => index >= start && index < start + contents.length;
  if (kind === "text" && texts.tooLong.some(({ index }) => isSent(index))) return true;
  if (kind === "url" && addresses.faults.length > 0) return true;
  return hasPersonality && (groups.faults.length > 0 || (groups.groups?.length ?? 0) > GROUPS_MAX);
}

/** The text itself while it is short; a large one when typing pauses. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  const isLarge = text.length > LARGE_INPUT;
  useEffect(() => {
    if (!isLarge) return undefined;
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, isLarge]);
  return isLarge ? paused : text;
}
