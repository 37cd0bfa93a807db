/** Part of a blob, in bytes; `end` is exclusive. */
export interface ByteRange {
  start: number;
  end?: number;
}

/** Bytes by key. Keys are `[a-z0-9/_-]+`. Failures of the storage are AppError `unavailable`. */
export interface Blobs {
  /**
   * Stores the stream under the key and returns its size. Nothing of it is visible before the whole is durable; a
   * stream that fails leaves nothing. An existing key is replaced.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** Streams a blob or a part of it. AppError `not-found` when there is none. */
  get(key: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Size in bytes; nothing when there is none. */
  size(key: string): Promise<number | undefined>;
  /** Without a blob of that key it does nothing. */
  delete(key: string): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
