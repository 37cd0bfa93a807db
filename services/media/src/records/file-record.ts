import type { MediaFacts } from "@hourglass/analysis/formats";
import { FileSchema } from "@hourglass/proto/media/v1/media_service";
import { contractBlobKey } from "@hourglass/runtime";

/**
 * State of a file. `incoming`: its bytes are being received. `unused`: free for an operation. `claiming`: held by an
 * operation until it is known whether that gets all files it wants. `claimed`: used by an operation. `deleting`: its
 * bytes are being removed. `gone`: only its idempotency key is left.
 */
export type FileState = "incoming" | "unused" | "claiming" | "claimed" | "deleting" | "gone";

/** The record of an uploaded file, without its bytes. Times are milliseconds since the epoch. */
export interface FileRecord {
  id: number;
  companyId: number;
  state: FileState;
  /** The operation that has the file while `claiming` or `claimed`, or that had it before `deleting`. */
  operationId: number | null;
  /** When the sweeper processes the file; null: never. */
  dueAt: number | null;
  /** Name given by the client. */
  name: string;
  createdAt: number;
  /** Null until the whole file has arrived. */
  facts: MediaFacts | null;
  /** Hash of the bytes, base64url; null until the whole file has arrived, and if the upload had no idempotency key. */
  sha256: string | null;
  /** Company and key of the upload. */
  idempotency: string | null;
}

/** States in which an operation holds the file. */
export const HELD = ["claiming", "claimed"] as const satisfies readonly FileState[];

/** States in which the whole file is stored. */
export const USABLE: readonly FileState[] = ["unused", ...HELD];

/** Key of the blob that holds the bytes. */
export function blobKeyOf(fileId: number): string {
  return contractBlobKey(FileSchema, fileId);
}
