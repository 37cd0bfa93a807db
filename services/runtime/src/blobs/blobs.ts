import { getOption, type DescMessage } from "@bufbuild/protobuf";
import { blob_folder as blobFolder } from "@hourglass/proto/options/v1/storage";

/** Part of a blob, in bytes; `end` is exclusive. */
export interface ByteRange {
  start: number;
  end?: number;
}

/** A blob in a list. */
export interface ListedBlob {
  key: string;
  /** Bytes. */
  size: number;
}

/** Bytes by key. Keys are `[a-z0-9/_-]+`. Failures of the storage are AppError `unavailable`. */
export interface Blobs {
  /**
   * Stores the stream under the key and returns its size. The blob becomes visible only when all of it is durable; a
   * stream that fails leaves nothing. An existing blob is replaced.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** Streams a blob or a part of it. AppError `not-found` if there is none. */
  get(key: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Size in bytes; undefined if there is no blob. */
  size(key: string): Promise<number | undefined>;
  /** All blobs, in any order. Concurrent writes may or may not be seen. */
  list(): AsyncIterable<ListedBlob>;
  /** Does nothing if there is no blob with that key. */
  delete(key: string): Promise<void>;
  /**
   * Like delete, but its bytes and those of earlier blobs with the key are gone when it resolves, even while they are
   * being read: nothing may be left of them.
   */
  erase(key: string): Promise<void>;
  /** Erases the bytes of all blobs that were deleted or replaced and are kept for current readers. */
  eraseDeleted(): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

const KEY = /^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/;
const KEY_MAX = 200;

/** Throws TypeError for an invalid blob key. */
export function mustBeKey(key: string): void {
  if (!isKey(key)) throw new TypeError(`Not a key of a blob: ${JSON.stringify(key)}`);
}

export function isKey(text: string): boolean {
  return text.length <= KEY_MAX && KEY.test(text);
}

/**
 * The blob key for the bytes of a message of the contract; the folder is declared in its proto file. Throws for a
 * message without a folder.
 */
export function contractBlobKey(message: DescMessage, id: number): string {
  return `${blobFolderOf(message)}/${id}`;
}

/** The folder that the contract declares for the bytes of a message. Throws for a message without one. */
export function blobFolderOf(message: DescMessage): string {
  const folder = getOption(message, blobFolder);
  if (folder === "") throw new TypeError(`${message.typeName} names no blob_folder`);
  return folder;
}
