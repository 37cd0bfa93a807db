import { type Blobs, FairLimit, type Logger, type Release, type UrlFetcher } from "@hourglass/runtime";
import { UnreadableFileError } from "../decode/file-errors.js";
import { createInspector, inspecting } from "../formats/inspector.js";
import type { FileLimits } from "../formats/limit-variables.js";
import { UnacceptableFileError } from "../formats/media-facts.js";
import { UPLOAD_FORMATS, URL_FORMATS } from "../formats/limits.js";
import {
  type FileAnalyst,
  type FileContent,
  type FileFindings,
  type FileAnalysisRequest,
  UnusableFileError,
} from "./file-analyst.js";
import type { MediaFacts } from "../formats/media-facts.js";
import type { MediaPool, MediaTask } from "../pool/media/media-task.js";
import { createGalleryReader } from "./company-gallery.js";
import { withBytes } from "./content-bytes.js";
import type { Scratch } from "./scratch.js";

export interface FileAnalystDeps {
  blobs: Blobs;
  fetcher: UrlFetcher;
  pool: MediaPool;
  scratch: Scratch;
  limits: FileLimits;
  /** Processes of the pool: this many stored files of one company are read at a time, and one more in advance. */
  processes: number;
  /** Files that are fetched from sites at a time; one company may use at most half of them. */
  urlFetches: number;
  /** Whether faces are matched with enrolled people. */
  faceRecognition: boolean;
  log: Logger;
}

const SITES_TOO_SLOW =
  "The sites of this operation's URLs took too long, so this one was not fetched. Name faster sites, or upload the files.";

/**
 * Fetches files into the scratch folder, checks their format, and passes them to the pool. A fetching slot is held
 * until the pool starts with the file, which bounds the number of files in the folder; a slow site does not delay the
 * analysis of other files.
 */
export function createFileAnalyst(deps: FileAnalystDeps): FileAnalyst {
  const { scratch, pool } = deps;
  const limits: Record<FileContent["kind"], FairLimit> = {
    url: new FairLimit({ places: deps.urlFetches, placesPerOwner: Math.ceil(deps.urlFetches / 2) }),
    "file-id": new FairLimit({ places: 2 * (deps.processes + 1), placesPerOwner: deps.processes + 1 }),
  };
  const galleryOf = createGalleryReader(deps.blobs, { names: deps.faceRecognition });
  const look = async (content: FileContent, request: FileAnalysisRequest, release: Release): Promise<FileFindings> => {
    const { companyId: owner, signal } = request;
    const gallery = await galleryOf(owner);
    const fetching = timeOfSites(content, request);
    const use = (bytes: AsyncIterable<Uint8Array>) => {
      const inspector = createInspector({
        ...deps.limits,
        formats: content.kind === "url" ? URL_FORMATS : UPLOAD_FORMATS,
      });
      return scratch.hold(inspecting(bytes, inspector), async (file) => {
        fetching.end();
        const facts = inspector.end();
        const { timings, ...findings } = await pool.analyze(
          { file, gallery, ...wanted(facts, request) },
          { owner, onBegun: release, ...(signal && { signal }) },
        );
        for (const timing of timings) request.onTimed?.(timing);
        return { facts, ...findings };
      });
    };
    return withBytes(deps, content, { use, signal }).finally(() => fetching.end());
  };
  return {
    analyse: async (content, request) => {
      const release = await limits[content.kind].acquire(request.companyId, request.signal);
      try {
        return await look(content, request, release);
      } catch (error) {
        return explain(error, content, deps.log);
      } finally {
        release();
      }
    },
  };
}

/** Counts the site's time from now until `end`. Throws UnusableFileError if the sites have no time left. */
function timeOfSites({ kind }: FileContent, { siteTime }: FileAnalysisRequest): { end: () => void } {
  if (kind !== "url" || siteTime === undefined) return { end: () => undefined };
  if (siteTime.isOver) throw new UnusableFileError(SITES_TOO_SLOW);
  const begun = performance.now();
  let ended = false;
  return {
    end: () => {
      if (!ended) siteTime.spend(performance.now() - begun);
      ended = true;
    },
  };
}

/** The part of the request that applies to a file of that kind. */
function wanted(facts: MediaFacts, { analyses, words }: FileAnalysisRequest): Omit<MediaTask, "file" | "gallery"> {
  const { hasPictures, hasSound } = facts;
  return { facts, analyses: hasPictures ? analyses : [], reads: words && hasPictures, hears: words && hasSound };
}

function explain(error: unknown, { kind, value }: FileContent, log: Logger): never {
  if (error instanceof UnreadableFileError) {
    // The target of a URL is private to its owner and is not logged.
    log.warn({ ...(kind === "file-id" && { fileId: value }), err: error }, "file could not be decoded");
    throw new UnusableFileError(error.message, { cause: error });
  }
  if (error instanceof UnacceptableFileError) {
    const what = kind === "url" ? "What the URL leads to is no file that can be analysed" : "The file is damaged";
    throw new UnusableFileError(`${what}: ${error.message}`, { cause: error });
  }
  throw error;
}
