import { type MediaFacts, type MediaPool, type MediaTask, UnreadableFileError } from "@hourglass/analysis";
import {
  createInspector,
  inspecting,
  UnacceptableFileError,
  UPLOAD_FORMATS,
  URL_FORMATS,
} from "@hourglass/analysis/formats";
import type { Blobs, Logger, MediaLimits, UrlFetcher } from "@hourglass/runtime";
import pLimit from "p-limit";
import { type FileAnalyst, type FileContent, type FileWishes, UnusableFileError } from "../ports/file-analyst.js";
import { createGalleryReader } from "./company-gallery.js";
import { withBytes } from "./content-bytes.js";
import type { Scratch } from "./scratch.js";

export interface FileAnalystDeps {
  blobs: Blobs;
  fetcher: UrlFetcher;
  pool: MediaPool;
  scratch: Scratch;
  limits: MediaLimits;
  /** Processes of the pool: so many files are looked at, and one more is fetched meanwhile. */
  processes: number;
  /** Whether faces are given the names of people who were enrolled. */
  faceRecognition: boolean;
  log: Logger;
}

/** Fetches files into the scratch folder, checks what they are, and has the pool look at them. */
export function createFileAnalyst(deps: FileAnalystDeps): FileAnalyst {
  const { scratch, pool } = deps;
  const limit = pLimit(deps.processes + 1);
  const galleryOf = createGalleryReader(deps.blobs, { names: deps.faceRecognition });
  const analyse: FileAnalyst["analyse"] = async (content, wishes) => {
    const { signal } = wishes;
    signal?.throwIfAborted();
    const gallery = await galleryOf(wishes.companyId);
    const use = (bytes: AsyncIterable<Uint8Array>) => {
      const inspector = createInspector({
        ...deps.limits,
        formats: content.kind === "url" ? URL_FORMATS : UPLOAD_FORMATS,
      });
      return scratch.hold(inspecting(bytes, inspector), async (file) => {
        const facts = inspector.end();
        const { timings, ...findings } = await pool.analyze(
          { file, gallery, ...wanted(facts, wishes) },
          { ...(signal && { signal }) },
        );
        for (const timing of timings) wishes.onTimed?.(timing);
        return { facts, ...findings };
      });
    };
    return withBytes(deps, content, { use, signal });
  };
  return {
    analyse: (content, wishes) =>
      limit(() => analyse(content, wishes).catch((error: unknown) => explain(error, content, deps.log))),
  };
}

/** What of the wishes a file of that kind can fulfil. */
function wanted(facts: MediaFacts, { analyses, words }: FileWishes): Omit<MediaTask, "file" | "gallery"> {
  const { hasPictures, hasSound } = facts;
  return { facts, analyses: hasPictures ? analyses : [], reads: words && hasPictures, hears: words && hasSound };
}

function explain(error: unknown, { kind, value }: FileContent, log: Logger): never {
  if (error instanceof UnreadableFileError) {
    // Where a URL points at is its owner's affair.
    log.warn({ ...(kind === "file-id" && { fileId: value }), err: error }, "file could not be decoded");
    throw new UnusableFileError(error.message, { cause: error });
  }
  if (error instanceof UnacceptableFileError) {
    const what = kind === "url" ? "What the URL leads to is no file that can be analysed" : "The file is damaged";
    throw new UnusableFileError(`${what}: ${error.message}`, { cause: error });
  }
  throw error;
}
