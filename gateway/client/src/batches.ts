/** What one request takes at most. */
export interface BatchLimits {
  readonly entries: number;
  /** Of all entries together, as JSON. */
  readonly bytes: number;
}

/** Entries that follow each other. */
export interface Batch<T> {
  /** The place of the first one among all entries, from 0. */
  readonly first: number;
  readonly entries: readonly T[];
}

/** Divides entries, as they come, into batches that a request takes. An entry that is too large by itself is left to the server to refuse. */
export async function* batchesOf<T>(
  entries: Iterable<T> | AsyncIterable<T>,
  limits: BatchLimits,
): AsyncGenerator<Batch<T>> {
  const encoder = new TextEncoder();
  let first = 0;
  let batch: T[] = [];
  let bytes = 0;
  for await (const entry of entries) {
    const size = encoder.encode(JSON.stringify(entry)).length + 1;
    if (batch.length >= limits.entries || (batch.length > 0 && bytes + size > limits.bytes)) {
      yield { first, entries: batch };
      first += batch.length;
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += size;
  }
  if (batch.length > 0) yield { first, entries: batch };
}

/** Works on a few of what comes at a time, and yields the results in its order. Nothing further is begun once a result is a failure. */
export async function* inOrder<T, R>(
  source: AsyncIterable<T>,
  work: (entry: T) => Promise<R>,
  atATime: number,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  for await (const entry of source) {
    const result = work(entry);
    // It is thrown when its turn comes; until then nobody looks at it.
    result.catch(() => undefined);
    begun.push(result);
    const next = begun.length < atATime ? undefined : begun.shift();
    if (next !== undefined) yield await next;
  }
  for (const result of begun) yield await result;
}
