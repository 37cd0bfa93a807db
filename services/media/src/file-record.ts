import type { MediaFacts } from "@hourglass/analysis/formats";
import { FileSchema } from "@hourglass/proto/media/v1/media_service";
import { contractBlobKey } from "@hourglass/runtime";

/**
 * Where a file is in its life. `incoming`: its bytes are on their way. `unused`: free for an operation. `claiming`: an
 * operation holds it until it is known whether it gets all it wants. `claimed`: an operation has it. `deleting`: its bytes
 * are being removed. `gone`: only its idempotency key is left.
 */
export type FileState = "incoming" | "unused" | "claiming" | "claimed" | "deleting" | "gone";

/** What is kept of an uploaded file beside its bytes. Times are milliseconds since the epoch. */
export interface FileRecord {
  id: number;
  companyId: number;
  state: FileState;
  /** Whose it is while `claiming` and `claimed`, and whose it was while `deleting`. */
  operationId: number | null;
  /** When the sweeper is to look at it; null: never. */
  dueAt: number | null;
  /** As the client named it. */
  name: string;
  createdAt: number;
  /** Null until all of it has come. */
  facts: MediaFacts | null;
  /** Of the bytes, base64url; null until all of it has come, and where the upload had no idempotency key. */
  sha256: string | null;
  /** Company and key of the upload. */
  idempotency: string | null;
}

/** States in which an operation has a hold of the file. */
export const HELD = ["claiming", "claimed"] as const satisfies readonly FileState[];

/** States in which all of the file is there. */
export const USABLE: readonly FileState[] = ["unused", ...HELD];

/** Key of the blob that holds the bytes. */
export function blobKeyOf(fileId: number): string {
  return contractBlobKey(FileSchema, fileId);
}
