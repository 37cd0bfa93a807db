import type { FeedItem, FeedServer } from "../../support/feed-server.js";
import type { Random } from "../crash-loop/random.js";

/** What the items are about; the last one is what no insight searches. */
export const BIRDS = ["kestrel", "falcon", "sparrow"] as const;

export type Bird = (typeof BIRDS)[number];

/** An item of one or more feeds, as it is now. */
export interface Story {
  /** A URI, so that it means the same item in all feeds. */
  guid: string;
  bird: Bird;
  feeds: readonly string[];
  item: FeedItem;
  version: number;
}

/** Publishes items in feeds and changes them. An item never leaves its feeds, nor the search that finds it. */
export class Press {
  readonly stories: Story[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: FeedServer,
    private readonly random: Random,
    readonly feeds: readonly string[],
  ) {
    for (const feed of feeds) server.feeds.set(feed, []);
  }

  /** Publishes and changes items continually, while it may. */
  start(everyMs: number, mayPublish: () => boolean): void {
    this.timer = setInterval(() => {
      if (!mayPublish()) return;
      this.publish();
      if (this.random.chance(0.3)) this.change();
    }, everyMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** What a search for the birds finds in the feeds: guid to text. */
  found(birds: readonly Bird[], feeds: readonly string[]): Map<string, string> {
    const stories = this.stories.filter((story) => birds.includes(story.bird) && overlap(story.feeds, feeds));
    return new Map(stories.map(({ guid, item }) => [guid, textOf(item)]));
  }

  /** One item, in one feed or two, sometimes twice in the same one. */
  private publish(): void {
    const guid = `urn:press:${this.stories.length}`;
    const bird = this.random.of(BIRDS);
    const feeds = [
      ...new Set([this.random.of(this.feeds), ...(this.random.chance(0.2) ? this.feeds.slice(0, 1) : [])]),
    ];
    const item = { guid, title: `Item ${this.stories.length}`, text: sentence(bird, 1), at: new Date() };
    for (const feed of feeds) {
      const items = this.itemsOf(feed);
      items.unshift(item);
      if (this.random.chance(0.1)) items.unshift(item);
    }
    this.stories.push({ guid, bird, feeds, item, version: 1 });
  }

  /** A new text of an item; what nobody searched may become what somebody does. */
  private change(): void {
    if (this.stories.length === 0) return;
    const story = this.random.of(this.stories);
    story.version += 1;
    if (story.bird === "sparrow") story.bird = this.random.of(BIRDS);
    story.item.text = sentence(story.bird, story.version);
  }

  private itemsOf(feed: string): FeedItem[] {
    const items = this.server.feeds.get(feed);
    if (items === undefined) throw new Error(`there is no feed ${feed}`);
    return items;
  }
}

/** The text of the posting. */
function textOf({ title, text }: FeedItem): string {
  return `${title}\n\n${text}`;
}

function sentence(bird: Bird, version: number): string {
  return `We saw a ${bird} and were glad, edition ${version}.`;
}

function overlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((feed) => others.includes(feed));
}
