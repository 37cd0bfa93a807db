import { useEffect, useRef, useState } from "preact/hooks";
import { serverNow } from "../../data/clock.js";
import { useReconnected } from "../../data/connection.js";
import type { Feed } from "../../data/feed.js";
import { addressOf, entriesOf, cleared, queryForApi, readFilters, type Filters } from "../../data/filters.js";
import type { Insight } from "../../data/insights.js";
import { type Period, periodOf } from "../../data/periods.js";
import { type Erased, type PostingsQuery, useFeed, useNews, usePosting } from "../../data/postings.js";
import { type Posting, postedAt } from "../../data/posting-view.js";
import { Button, LinkButton } from "../../parts/button.js";
import { FilterBar } from "../../parts/filter-bar/filter-bar.js";
import { useKeys } from "../../parts/keys.js";
import { NARROW, useMedia } from "../../parts/media.js";
import { useAddress } from "../../parts/navigation.js";
import { Canceled, EmptyState, Problem, Waiting } from "../../parts/states.js";
import { moment } from "../../words/times.js";
import { words } from "../../words/postings.js";
import { InsightScreen } from "../insight/insight-tabs.js";
import { useDetail } from "./detail-later.js";
import { FeedList, type FeedListHandle } from "./feed-list.js";
import { OrderSelect } from "./order-select.js";
import styles from "./postings.module.css";

/** How long after the last key the address follows: browsers allow few changes of it in a second. In milliseconds. */
const ADDRESS_AFTER_MS = 250;

/** `/insights/:id/postings?posting=KEY`: the postings that the filters leave, one below the other, and one in full. */
export function PostingsScreen() {
  const { parameters } = useAddress();
  const filters = readFilters(parameters);
  const [now] = useState(() => serverNow());
  const period = periodOf(filters, now);
  return (
    <InsightScreen tab="postings" period={period}>
      {(insight) => <Postings insight={insight} filters={filters} period={period} />}
    </InsightScreen>
  );
}

interface PostingsProps {
  readonly insight: Insight;
  readonly filters: Filters;
  readonly period: Period;
}

function Postings({ insight, filters, period }: PostingsProps) {
  const [reading, setReading] = useState(0);
  const query = queryOf(filters, period);
  const feed = useFeed(insight.id, query, reading);
  // Whatever of the feed has changed is drawn again.
  void feed.version.value;
  const PostingDetail = useDetail();
  const news = useNews(insight.id, query, feed);
  const isNarrow = useMedia(NARROW);
  const list = useRef<FeedListHandle>(null);
  const detail = useRef<HTMLElement>(null);
  const { current, choose, close } = useChosen();
  const index = current === undefined ? undefined : feed.indexOf(current);
  const single = usePosting(insight.id, index === undefined ? current : undefined);
  const posting = (index === undefined ? undefined : feed.at(index)?.posting) ?? single.data;
  const last = useRef(-1);
  const wanted = useRef<number>(undefined);
  if (index !== undefined) last.current = index;

  useEffect(() => {
    feed.show(0, 0);
    if (current === undefined) return;
    void feed.seek(current, isPast(posting, query)).then((found) => {
      if (found !== undefined) list.current?.reveal(found, "center");
    });
  }, [feed]);

  const choosePlace = (place: number, key: string): void => {
    wanted.current = undefined;
    last.current = place;
    choose(key);
    if (!isNarrow) list.current?.focus(place);
  };
  const move = (to: number): void => {
    const place = Math.max(0, Math.min(feed.count - 1, to));
    const entry = feed.at(place);
    feed.show(place, place);
    if (entry !== undefined) {
      choosePlace(place, entry.view.key);
      return;
    }
    wanted.current = place;
    list.current?.reveal(place, "auto");
  };
  // A place whose posting was forgotten is chosen as soon as it has been read again.
  useEffect(() => {
    const place = wanted.current;
    const entry = place === undefined ? undefined : feed.at(place);
    if (place !== undefined && entry !== undefined) choosePlace(place, entry.view.key);
  });
  const back = (): void => {
    close();
    // What had the focus goes with the detail, and on narrow screens the list is drawn again.
    requestAnimationFrame(() => list.current?.focus(Math.max(0, Math.min(last.current, feed.count - 1))));
  };
  const { keys } = words.postings;
  useKeys([
    { keys: "j", label: keys.next, run: () => move(last.current + 1) },
    { keys: "k", label: keys.previous, run: () => move(last.current - 1) },
    { keys: "Home", label: keys.first, run: () => move(0) },
    { keys: "End", label: keys.last, run: () => move(feed.count - 1) },
    ...(current === undefined
      ? []
      : [
          { keys: "Enter", label: keys.open, run: () => detail.current?.focus() },
          { keys: "Escape", label: keys.back, run: back },
        ]),
  ]);

  const isDetailOnly = isNarrow && current !== undefined;
  useEffect(() => {
    if (!isDetailOnly) return;
    detail.current?.scrollIntoView();
    detail.current?.focus({ preventScroll: true });
  }, [isDetailOnly, current]);
  const showNews = (): void => {
    setReading(reading + 1);
    scrollTo(0, 0);
  };
  return (
    <>
      {isDetailOnly ? null : (
        <FilterBar period={period} platforms={insight.query.platforms} error={feed.isBegun ? undefined : feed.error} />
      )}
      <div class={styles["layout"]}>
        {isDetailOnly ? null : (
          <div class={styles["list"]}>
            <div class={styles["head"]}>
              <span role="status">
                {feed.total === undefined ? null : words.postings.total(feed.total.count, feed.total.isExact)}
              </span>
              <OrderSelect filters={filters} />
              <span role="status" class={styles["news"]}>
                {news.count === 0 ? null : (
                  <Button isSmall onClick={showNews}>
                    {words.postings.news(news.count, news.isMore)}
                  </Button>
                )}
              </span>
            </div>
            <List
              insight={insight}
              feed={feed}
              handle={list}
              current={current}
              index={index}
              onOpen={() => detail.current?.focus()}
            />
          </div>
        )}
        <section
          ref={detail}
          class={styles["detail"]}
          aria-label={words.postings.detail}
          tabIndex={-1}
          hidden={isNarrow && current === undefined}
        >
          {current === undefined ? (
            <p class="muted">{words.postings.chooseOne}</p>
          ) : posting !== undefined ? (
            <PostingDetail
              key={current}
              insightId={insight.id}
              postingKey={current}
              posting={posting}
              onBack={back}
              isNarrow={isNarrow}
              onErased={(erased) => {
                feed.remove(isErasedBy(erased));
                back();
              }}
            />
          ) : single.isError ? (
            <Problem error={single.error} onRetry={() => void single.refetch()}>
              <Button isSmall onClick={back}>
                {words.postings.back}
              </Button>
            </Problem>
          ) : (
            <Waiting height="20rem" onCancel={back} />
          )}
        </section>
      </div>
    </>
  );
}

interface ListProps {
  readonly insight: Insight;
  readonly feed: Feed;
  readonly handle: { current: FeedListHandle | null };
  readonly current: string | undefined;
  readonly index: number | undefined;
  readonly onOpen: () => void;
}

function List({ insight, feed, ...shown }: ListProps) {
  const retry = (): void => {
    feed.retry();
    feed.show(feed.count, feed.count);
  };
  useReconnected(() => {
    if (feed.error !== undefined) retry();
  });
  if (!feed.isBegun) {
    if (feed.isCanceled) return <Canceled onRetry={retry} />;
    if (feed.error !== undefined) return <Problem error={feed.error} onRetry={retry} />;
    const doing = words.postings.searching(insight.posting_count);
    return <Waiting height="60vh" doing={doing} onCancel={() => feed.cancel()} />;
  }
  if (feed.count === 0 && feed.isWhole) return <Nothing insight={insight} />;
  return (
    <>
      <FeedList feed={feed} {...shown} />
      {feed.error === undefined ? null : <Problem error={feed.error} onRetry={retry} />}
      {feed.isWhole ? <p class={styles["end"]}>{words.postings.end}</p> : null}
    </>
  );
}

/** Why there is no posting, and the next step. */
function Nothing({ insight }: { readonly insight: Insight }) {
  const { path, parameters } = useAddress();
  const w = words.postings;
  const entries = entriesOf(parameters);
  if (insight.posting_count === 0) {
    const next = insight.platforms.flatMap(({ next_at: at }) => (at === null ? [] : [at])).sort()[0];
    return (
      <EmptyState title={w.none}>
        <p>{next === undefined ? w.noneHelp : w.firstLook(moment(next))}</p>
        <LinkButton href={`/insights/${insight.id}/collection`}>{w.toCollection}</LinkButton>
      </EmptyState>
    );
  }
  if (insight.posting_count === insight.unanalysed_count) {
    return (
      <EmptyState title={w.allWaiting}>
        <p>{words.insights.stillAnalyzed(insight.unanalysed_count)}</p>
      </EmptyState>
    );
  }
  const wider = new URLSearchParams(parameters);
  wider.set("from", insight.created_at.slice(0, 10) < "2000" ? "2000-01-01" : longAgo());
  wider.delete("to");
  return (
    <EmptyState title={w.noMatch}>
      {entries.length === 0 ? null : (
        <div class={styles["ways"]}>
          {entries.map(({ name, value, isKnown, without }) => (
            <LinkButton key={`${name}=${value}`} isSmall href={addressOf(path, without)}>
              <bdi>{w.without(isKnown ? words.filters.chip(name, value, undefined) : value)}</bdi>
            </LinkButton>
          ))}
          <LinkButton isSmall href={addressOf(path, cleared(parameters))}>
            {words.filters.clear}
          </LinkButton>
        </div>
      )}
      <LinkButton isSmall href={addressOf(path, wider)}>
        {w.longer}
      </LinkButton>
    </EmptyState>
  );
}

/** A year ago: the longest period that is shown by days. */
function longAgo(): string {
  return new Date(serverNow() - 365 * 86_400_000).toISOString().slice(0, 10);
}

/** The posting that is chosen: at once where keys move quickly, and in the address shortly after. */
function useChosen(): {
  readonly current: string | undefined;
  readonly choose: (key: string) => void;
  readonly close: () => void;
} {
  const { parameters, hrefWith, go } = useAddress();
  const inAddress = parameters.get("posting") ?? undefined;
  const [current, setCurrent] = useState(inAddress);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const follow = useRef<(key: string) => void>(() => undefined);
  follow.current = (key) => go(hrefWith({ posting: key }), inAddress !== undefined);
  useEffect(() => {
    clearTimeout(timer.current);
    setCurrent(inAddress);
  }, [inAddress]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    current,
    choose: (key) => {
      setCurrent(key);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => follow.current(key), ADDRESS_AFTER_MS);
    },
    close: () => {
      clearTimeout(timer.current);
      setCurrent(undefined);
      go(hrefWith({ posting: undefined }));
    },
  };
}

function queryOf(filters: Filters, period: Period): PostingsQuery {
  const { sort, order, q } = filters;
  // Words are looked for in the order of time only.
  const isSorted = sort !== undefined && (q === undefined || sort === "posted_at");
  return {
    ...queryForApi(filters, period),
    ...(isSorted ? { sort } : {}),
    ...(order === undefined ? {} : { order }),
  };
}

/** Whether a list by time has passed a posting. */
function isPast(wanted: Posting | undefined, { sort, order }: PostingsQuery): (posting: Posting) => boolean {
  const at = wanted && postedAt(wanted);
  if (at === undefined || (sort !== undefined && sort !== "posted_at")) return () => false;
  return (posting) => {
    const last = postedAt(posting);
    return last !== undefined && (order === "asc" ? last > at : last < at);
  };
}

function isErasedBy(erased: Erased): (posting: Posting) => boolean {
  return ({ platform, social_id: id, author_id: author }) =>
    platform === erased.platform && ("social_id" in erased ? id === erased.social_id : author === erased.author_id);
}
