import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

export type Windowed = Virtualizer<Window, HTMLElement>;

/** Rendered beyond what is seen, on either side, so that quick scrolling shows no gaps. */
const OVERSCAN = 6;
/** What covers the upper edge of the window, such as the bar that says that everything is invented. In pixels. */
const COVERED = 56;

export interface WindowedOptions {
  readonly count: number;
  /** Height of a row that has not been seen yet. In pixels. */
  readonly rowHeight: number;
  /** The place of the list in the page. */
  readonly list: RefObject<HTMLElement | null>;
  /** A row that stays rendered wherever it is, because it has the focus. */
  readonly pinned: number | undefined;
}

/** Renders of a long list only what is near the window; the page itself scrolls. */
export function useWindowed({ count, rowHeight, list, pinned }: WindowedOptions): Windowed {
  const [, update] = useReducer((changes: number) => changes + 1, 0);
  const [scrollMargin, setMargin] = useState(0);
  const kept = useRef<Windowed>(undefined);
  const options = {
    count,
    scrollMargin,
    overscan: OVERSCAN,
    scrollPaddingStart: COVERED,
    estimateSize: () => rowHeight,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialOffset: () => scrollY,
    onChange: () => update(0),
    rangeExtractor: ({
      startIndex,
      endIndex,
      overscan,
    }: {
      startIndex: number;
      endIndex: number;
      overscan: number;
    }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const rows = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
      if (pinned !== undefined && pinned < count && (pinned < from || pinned > to)) rows.push(pinned);
      return rows;
    },
  };
  const windowed = (kept.current ??= new Virtualizer<Window, HTMLElement>(options));
  windowed.setOptions(options);
  useLayoutEffect(() => windowed._didMount(), [windowed]);
  useLayoutEffect(() => {
    windowed._willUpdate();
    // What is above the list may grow, such as a row of filters.
    const top = list.current === null ? 0 : Math.round(list.current.getBoundingClientRect().top + scrollY);
    if (Math.abs(top - scrollMargin) > 1) setMargin(top);
  });
  return windowed;
}
