import type { RefObject } from "preact";
import { useEffect, useImperativeHandle, useLayoutEffect, useRef } from "preact/hooks";
import type { Feed } from "../../data/feed.js";
import { useAddress } from "../../parts/navigation.js";
import { PostingCard } from "../../parts/posting-card/posting-card.js";
import { useWindowed } from "../../parts/windowed.js";
import { words } from "../../words/postings.js";
import styles from "./postings.module.css";

/** Height of a usual card. In pixels. */
const CARD_HEIGHT = 150;

/** What others may have the list do. */
export interface FeedListHandle {
  /** Scrolls to a place, if it is not in sight. */
  readonly reveal: (index: number, align: "auto" | "center") => void;
  /** The same, and the focus goes there. */
  readonly focus: (index: number) => void;
}

export interface FeedListProps {
  readonly feed: Feed;
  readonly handle: RefObject<FeedListHandle | null>;
  readonly current: string | undefined;
  readonly index: number | undefined;
  /** When the chosen posting is chosen again. */
  readonly onOpen: () => void;
}

/** The cards of a feed; only those near the window exist. */
export function FeedList({ feed, handle, current, index, onOpen }: FeedListProps) {
  const { hrefWith } = useAddress();
  const list = useRef<HTMLDivElement>(null);
  const windowed = useWindowed({ count: feed.count, rowHeight: CARD_HEIGHT, list, pinned: index });
  const wanted = useRef<number>(undefined);
  const items = windowed.getVirtualItems();
  const range = windowed.range;
  useEffect(() => {
    if (range !== null) feed.show(range.startIndex, range.endIndex);
  }, [feed, range?.startIndex, range?.endIndex, feed.count]);
  useImperativeHandle(handle, () => ({
    reveal: (place, align) => windowed.scrollToIndex(place, { align }),
    focus: (place) => {
      windowed.scrollToIndex(place, { align: "auto" });
      wanted.current = place;
      giveFocus();
    },
  }));
  // A card that is scrolled to may not exist yet.
  const giveFocus = (): void => {
    if (wanted.current === undefined) return;
    const link = list.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] a`);
    if (link === null || link === undefined) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  };
  useLayoutEffect(giveFocus);
  const size = feed.total?.isExact === true ? feed.total.count : -1;
  return (
    <div
      ref={list}
      class={styles["cards"]}
      role="feed"
      aria-label={words.postings.feed}
      style={{ height: `${windowed.getTotalSize()}px` }}
    >
      {items.map((item) => {
        const entry = feed.at(item.index);
        return (
          <div
            key={item.key}
            ref={(element) => windowed.measureElement(element)}
            data-index={item.index}
            class={styles["place"]}
            style={{ transform: `translateY(${item.start - windowed.options.scrollMargin}px)` }}
          >
            {entry === undefined ? (
              <div class={styles["missing"]} style={{ height: `${item.size}px` }} />
            ) : (
              <PostingCard
                posting={entry.view}
                href={hrefWith({ posting: entry.view.key })}
                isCurrent={entry.view.key === current}
                position={item.index + 1}
                size={size}
                onOpen={onOpen}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}
