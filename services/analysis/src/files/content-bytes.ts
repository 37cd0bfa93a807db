import { FileSchema } from "@hourglass/proto/media/v1/media_service";
import { AppError, type Blobs, contractBlobKey, type UrlFetcher, UnreachableUrlError } from "@hourglass/runtime";
import { type FileContent, UnusableFileError } from "./file-analyst.js";

export interface ContentSources {
  blobs: Blobs;
  fetcher: UrlFetcher;
}

const MISSING = "The file is no longer stored. Upload it again, and create a new operation with its new id.";
/** A site that is briefly unavailable is retried once, after this many milliseconds. */
const AGAIN_AFTER_MS = 1000;

/**
 * Passes the bytes of a file to `use`. Throws UnusableFileError if the file is unavailable, and the storage's error if
 * the storage is.
 */
export async function withBytes<T>(
  { blobs, fetcher }: ContentSources,
  content: FileContent,
  { use, signal }: { use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>; signal?: AbortSignal | undefined },
): Promise<T> {
  try {
    if (content.kind === "file-id") return await use(blobs.get(contractBlobKey(FileSchema, content.value)));
    return await fetchTwice(fetcher, content.value, { use, signal });
  } catch (error) {
    if (error instanceof UnreachableUrlError) throw new UnusableFileError(error.message, { cause: error });
    if (error instanceof AppError && error.kind === "not-found") throw new UnusableFileError(MISSING, { cause: error });
    throw error;
  }
}

async function fetchTwice<T>(
  fetcher: UrlFetcher,
  url: string,
  { use, signal }: { use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>; signal?: AbortSignal | undefined },
): Promise<T> {
  const attempt = async (): Promise<T> => {
    const fetched = await fetcher.fetch(url, signal === undefined ? {} : { signal });
    try {
      return await use(fetched.bytes);
    } finally {
      fetched.close();
    }
  };
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof UnreachableUrlError) || error.permanent) throw error;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    signal?.throwIfAborted();
    return attempt();
  }
}
