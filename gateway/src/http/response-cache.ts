import { etagOf, type Reply } from "./reply.js";
import type { RouteContext } from "./route.js";

/** A body that was sent, and what belongs to it. */
export interface CachedBody {
  readonly body: Uint8Array;
}

/** Bodies of one kind. */
export interface CachePart<K, B extends CachedBody> {
  get(key: K): B | undefined;
  set(key: K, value: B): void;
  /** Forgets this body, unless another has taken its place. */
  delete(key: K, value: B): void;
}

/** Of all kinds together, so that the memory of a gateway is known however it is used. */
const KEPT_BYTES_MAX = 33_554_432;

/** An entry takes about this much memory besides its body. */
const ENTRY_BYTES = 512;

/** A body is not kept if it is larger than the whole divided by this number. */
const LARGE_SHARE = 16;

interface Entry {
  readonly bytes: number;
  /** Removes it from the bodies of its kind. */
  readonly forget: () => void;
}

/** Bodies that were sent lately, within so many bytes: those that nobody has asked for longest make room. */
export class ResponseCache {
  /** Least recently used first. */
  private readonly entries = new Set<Entry>();
  private bytes = 0;

  constructor(private readonly bytesMax = KEPT_BYTES_MAX) {}

  /** Bodies with their own keys, which compete with all other kinds for room. */
  part<K, B extends CachedBody>(): CachePart<K, B> {
    const kept = new Map<K, { readonly value: B; readonly entry: Entry }>();
    return {
      get: (key) => {
        const found = kept.get(key);
        if (found === undefined) return undefined;
        this.entries.delete(found.entry); // moves it to the end
        this.entries.add(found.entry);
        return found.value;
      },
      set: (key, value) => {
        const known = kept.get(key);
        if (known !== undefined) this.remove(known.entry);
        const entry = { bytes: value.body.byteLength + ENTRY_BYTES, forget: () => void kept.delete(key) };
        if (entry.bytes > this.bytesMax / LARGE_SHARE) return;
        kept.set(key, { value, entry });
        this.add(entry);
      },
      delete: (key, value) => {
        const found = kept.get(key);
        if (found?.value === value) this.remove(found.entry);
      },
    };
  }

  private add(entry: Entry): void {
    this.entries.add(entry);
    this.bytes += entry.bytes;
    for (const oldest of this.entries) {
      if (this.bytes <= this.bytesMax) return;
      this.remove(oldest);
    }
  }

  private remove(entry: Entry): void {
    this.entries.delete(entry);
    this.bytes -= entry.bytes;
    entry.forget();
  }
}

/** An answer of a service that can tell whether it is still the same. */
export interface Revised {
  readonly revision: string;
  /** The answer of the revision that was named is still the same, and is not repeated. */
  readonly unchanged: boolean;
}

interface CachedResponse extends CachedBody {
  readonly revision: string;
  readonly reply: Reply;
}

/** Longer requests are rare, and kept nowhere. */
const URL_LENGTH_MAX = 512;

/**
 * The bodies of answers that services give a revision: who asks the same again gets the kept one after the service has
 * said, for each request, that nothing has changed.
 */
export class RevisedResponses {
  private readonly kept: CachePart<string, CachedResponse>;

  constructor(cache: ResponseCache) {
    this.kept = cache.part();
  }

  /** Answers a request: `ask` calls the service with the revision that is kept, if any, and `render` makes the body. */
  async reply<R extends Revised>(
    { request }: RouteContext,
    ask: (knownRevision: string) => Promise<R>,
    render: (answer: R) => unknown,
  ): Promise<Reply> {
    const { req, principal, gateway } = request;
    // What a company may read is the same for all its users.
    const key = `${principal?.companyId ?? ""} ${req.url ?? ""}`;
    const load = async () => {
      const kept = this.kept.get(key);
      const answer = await ask(kept?.revision ?? "");
      if (kept !== undefined && answer.unchanged) return kept;
      const body = Buffer.from(JSON.stringify(render(answer)));
      const reply = { status: 200, body, etag: etagOf(body), isKept: answer.revision !== "" };
      const response = { revision: answer.revision, body, reply };
      if (answer.revision !== "" && key.length <= URL_LENGTH_MAX) this.kept.set(key, response);
      return response;
    };
    const sizeOf = ({ body }: CachedResponse) => body.byteLength;
    return (await gateway.largeRecords.read(request, { key, load, sizeOf })).reply;
  }
}
