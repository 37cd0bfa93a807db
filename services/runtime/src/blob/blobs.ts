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
   * Like delete, but its bytes and those of earlier blobs with the key are gone when it resolves, even if somebody is
   * reading them: nothing may be left of them.
   */
  erase(key: string): Promise<void>;
  /** Erases the bytes of all blobs that were deleted or replaced and are kept for those who are reading them. */
  eraseDeleted(): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
