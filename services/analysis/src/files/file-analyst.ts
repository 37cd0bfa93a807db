import type { MediaFacts } from "../formats/media-facts.js";
import type { MediaFindings } from "../pool/media/media-task.js";
import type { VisualAnalysis } from "../visual.js";
import type { SiteTime } from "./site-time.js";

/** A file of an operation: the id of an upload, or a URL. */
export type FileContent = { kind: "file-id"; value: number } | { kind: "url"; value: string };

/** What is to be found out about a file. */
export interface FileAnalysisRequest {
  /** Whose gallery counts, and whose share of places it takes. */
  companyId: number;
  /** What the operation's sites may still take; without it they are not bound together. */
  siteTime?: SiteTime;
  analyses: readonly VisualAnalysis[];
  /** Whether the words that are said and written in it are wanted. */
  words: boolean;
  signal?: AbortSignal;
  onTimed?: (timing: MediaFindings["timings"][number]) => void;
}

/** What was found out about a file; what does not apply to its format is missing. */
export interface FileFindings extends Omit<MediaFindings, "timings"> {
  facts: Pick<MediaFacts, "format" | "hasSound" | "hasPictures">;
}

/** Nothing can be read of the file; `message` is a sentence for its owner. */
export class UnusableFileError extends Error {
  override readonly name = "UnusableFileError";
}

/** Fetches files and looks at them, each without harm to the others. */
export interface FileAnalyst {
  /** Rejects with UnusableFileError because of the file, and with another error when trying again may help. */
  analyse(content: FileContent, request: FileAnalysisRequest): Promise<FileFindings>;
}
