import { createHash } from "node:crypto";
import { searchedTextsOf } from "../../posting-draft.js";
import type { ManyMatcher } from "../../../query/match/match-many.js";
import { addressOf, readEvent, type StreamEvent } from "../posting/event.js";
import { toPosting } from "../posting/to-posting.js";
import type { ItemRecord } from "../store/records.js";
import { keptFrom, type StreamStore } from "../store/stream-store.js";

/** An item without its number, which it gets when it is stored. */
const UNNUMBERED = 0;

/** What events mean for the stored items, until it is stored. Holds only what matches, and what is gone. */
export class Batch {
  /** Times of the first and the last event, in microseconds since the epoch; undefined: there was none. */
  first: number | undefined;
  last: number | undefined;
  /** Frames that could not be read as events. */
  skipped = 0;
  events = 0;
  private readonly matching = new Map<string, ItemRecord>();
  /** Time of the last event by what is gone. */
  private readonly gonePosts = new Map<string, number>();
  private readonly goneAuthors = new Map<string, number>();

  constructor(
    private readonly matcher: ManyMatcher<string>,
    private readonly now: () => number,
  ) {}

  get size(): number {
    return this.matching.size + this.gonePosts.size + this.goneAuthors.size;
  }

  add(frame: string): void {
    this.events += 1;
    const event = readEvent(frame);
    if (event === undefined) this.skipped += 1;
    else this.note(event);
  }

  /** The items that become new, different or gone. What was read before changes nothing. */
  async changes(store: StreamStore): Promise<ItemRecord[]> {
    const known = await store.known([...this.matching.keys()]);
    const fresh = [...this.matching.values()].filter((item) => item.time > (known.get(item.id)?.time ?? -1));
    const stored = [
      ...(await store.ofPosts([...this.gonePosts.keys()])),
      ...(await store.ofAuthors([...this.goneAuthors.keys()])),
    ];
    const gone = new Map<string, ItemRecord>();
    for (const item of [...stored, ...fresh]) {
      const time = Math.max(this.gonePosts.get(item.post) ?? -1, this.goneAuthors.get(item.author) ?? -1);
      if (time < item.time || (time === item.time && item.state === "gone")) continue;
      gone.set(item.id, { ...item, time, state: "gone", posting: null, keptUntil: keptFrom(this.now()) });
    }
    return [...fresh.filter(({ id }) => !gone.has(id)), ...gone.values()];
  }

  private note(event: StreamEvent): void {
    const { time } = event;
    this.first ??= time;
    this.last = Math.max(this.last ?? 0, time);
    if (event.kind === "gone") this.gonePosts.set(event.post, time);
    else if (event.kind === "author_gone") this.goneAuthors.set(event.did, time);
    else if (event.kind === "post") this.match(event);
  }

  private match(event: Extract<StreamEvent, { kind: "post" }>): void {
    const posting = toPosting(event);
    const [post, author] = [addressOf(event.did, event.rkey), event.did];
    for (const query of this.matcher.match(searchedTextsOf(posting))) {
      const id = `${query}:${digestOf(post)}`;
      const state = { state: "kept", posting, keptUntil: keptFrom(this.now()) } as const;
      this.matching.set(id, { id, query, seq: UNNUMBERED, post, author, time: event.time, ...state });
    }
  }
}

/** Ids have a limited length, addresses have none. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
