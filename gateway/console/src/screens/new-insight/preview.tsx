import { useMemo, useRef, useState } from "preact/hooks";
import { hasEnded, type Insight, usePreview, usePreviewPostings } from "../../data/new-insight.js";
import { keyOf, type Posting, viewOf } from "../../data/posting-view.js";
import { Button } from "../../parts/button.js";
import { useKeys } from "../../parts/keys.js";
import { PostingCard } from "../../parts/posting-card/posting-card.js";
import { EmptyState, Load, Problem } from "../../parts/states.js";
import { words } from "../../words/new-insight.js";
import { type Mark, proposeExclusions } from "./exclusion.js";
import styles from "./new-insight.module.css";

export interface PreviewProps {
  readonly id: number;
  readonly keywords: string;
  /** Whether the form has changed since. */
  readonly isOutdated: boolean;
  readonly onExclude: (written: string) => void;
}

/** What a search finds in the newest postings; the reader marks hits and misses, and gets an exclusion proposed. */
export function Preview({ id, keywords, isOutdated, onExclude }: PreviewProps) {
  const w = words.newInsight;
  const insight = usePreview(id);
  const page = usePreviewPostings(insight.data);
  const [marks, setMarks] = useState<ReadonlyMap<string, Mark>>(new Map());
  const postings = page.data?.postings ?? [];
  const mark = (key: string, wanted: Mark): void => {
    setMarks((before) => {
      const changed = new Map(before);
      // The same mark again takes it back.
      if (before.get(key) === wanted) changed.delete(key);
      else changed.set(key, wanted);
      return changed;
    });
  };
  return (
    <section class={styles["preview"]} aria-label={w.previewTitle}>
      <h2>{w.previewTitle}</h2>
      <Load query={insight} height="12rem">
        {(record) => (
          <>
            <Progress insight={record} />
            {isOutdated ? <p class={styles["warning"]}>{w.previewOutdated}</p> : null}
            {record.status === "failed" ? (
              <p class={styles["warning"]}>{record.error ?? w.previewFailed}</p>
            ) : hasEnded(record) && record.posting_count === 0 ? (
              <EmptyState title={w.previewNone}>
                <p>{w.previewNoneHelp}</p>
              </EmptyState>
            ) : null}
            <Trouble insight={record} />
          </>
        )}
      </Load>
      {page.isError ? <Problem error={page.error} onRetry={() => void page.refetch()} /> : null}
      {postings.length === 0 ? null : (
        <>
          <Proposals postings={postings} marks={marks} keywords={keywords} onExclude={onExclude} />
          {(insight.data?.posting_count ?? 0) > postings.length && page.data?.next_cursor !== null ? (
            <p class="muted small">{w.previewFirst(postings.length, insight.data?.posting_count ?? 0)}</p>
          ) : null}
          <Postings postings={postings} marks={marks} onMark={mark} />
        </>
      )}
    </section>
  );
}

function Progress({ insight }: { readonly insight: Insight }) {
  const w = words.newInsight;
  const { posting_count: found, unanalysed_count: waiting } = insight;
  return (
    <p role="status" class="muted">
      {hasEnded(insight) ? w.previewDone(found) : w.previewRunning(found, waiting)}
    </p>
  );
}

/** Platforms that gave nothing, with the reason. */
function Trouble({ insight: { platforms } }: { readonly insight: Insight }) {
  const troubled = platforms.filter(({ last_error: error }) => error !== null);
  if (troubled.length === 0) return null;
  return (
    <ul class={styles["trouble"]}>
      {troubled.map(({ platform, last_error: error }) => (
        <li key={platform}>
          <strong>{words.labels.platform(platform)}:</strong> {error}
        </li>
      ))}
    </ul>
  );
}

interface ProposalsProps {
  readonly postings: readonly Posting[];
  readonly marks: ReadonlyMap<string, Mark>;
  readonly keywords: string;
  readonly onExclude: (written: string) => void;
}

function Proposals({ postings, marks, keywords, onExclude }: ProposalsProps) {
  const w = words.newInsight;
  const marked = postings.map((posting) => ({
    text: posting.text_of_post ?? "",
    tags: posting.text_post_tags ?? [],
    mark: marks.get(keyOf(posting)),
  }));
  const misses = marked.filter(({ mark }) => mark === "miss").length;
  const hits = marked.filter(({ mark }) => mark === "hit").length;
  const proposals = useMemo(
    () => (misses === 0 ? [] : proposeExclusions(marked, keywords)),
    [postings, marks, keywords, misses],
  );
  return (
    <div class={styles["proposals"]}>
      <p>{w.marking}</p>
      <div role="status">
        {hits + misses === 0 ? null : <p>{w.marked(hits, misses)}</p>}
        {hits + misses > 0 && misses < 2 ? <p class="muted">{w.markMore}</p> : null}
        {misses >= 2 && proposals.length === 0 ? <p class="muted">{w.proposesNothing}</p> : null}
      </div>
      {proposals.map(({ written, misses: left, others }) => (
        <div key={written} class={styles["proposal"]}>
          <Button isSmall onClick={() => onExclude(written)}>
            <bdi>{w.exclude(written)}</bdi>
          </Button>
          <span class="muted small">{w.excludes(left, others)}</span>
        </div>
      ))}
    </div>
  );
}

interface PostingsProps {
  readonly postings: readonly Posting[];
  readonly marks: ReadonlyMap<string, Mark>;
  readonly onMark: (key: string, mark: Mark) => void;
}

function Postings({ postings, marks, onMark }: PostingsProps) {
  const w = words.newInsight;
  const views = useMemo(() => postings.map(viewOf), [postings]);
  const list = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string>();
  // Keys may come faster than the screen is drawn.
  const focused = useRef<string | undefined>(undefined);
  const focus = (key: string): void => {
    focused.current = key;
    setCurrent(key);
  };
  const move = (by: number): void => {
    const at = views.findIndex(({ key }) => key === focused.current);
    const next = Math.max(0, Math.min(views.length - 1, at + by));
    list.current?.querySelectorAll<HTMLElement>("article")[next]?.focus();
  };
  const markCurrent = (mark: Mark): void => {
    if (focused.current !== undefined) onMark(focused.current, mark);
  };
  useKeys([
    { keys: "j", label: w.keys.next, run: () => move(1) },
    { keys: "k", label: w.keys.previous, run: () => move(-1) },
    { keys: "+", label: w.keys.hit, run: () => markCurrent("hit") },
    { keys: "=", label: w.keys.hit, run: () => markCurrent("hit"), isSilent: true },
    { keys: "-", label: w.keys.miss, run: () => markCurrent("miss") },
  ]);
  return (
    <div ref={list} role="feed" aria-label={w.previewPostings} class={styles["postings"]}>
      {views.map((view, index) => {
        const mark = marks.get(view.key);
        const author = view.author ?? words.postingCard.unknownAuthor;
        return (
          <PostingCard
            key={view.key}
            posting={view}
            isCurrent={view.key === current}
            position={index + 1}
            size={views.length}
            onFocus={() => focus(view.key)}
            actions={
              <>
                <MarkButton
                  mark="hit"
                  isPressed={mark === "hit"}
                  author={author}
                  onMark={() => onMark(view.key, "hit")}
                />
                <MarkButton
                  mark="miss"
                  isPressed={mark === "miss"}
                  author={author}
                  onMark={() => onMark(view.key, "miss")}
                />
              </>
            }
          />
        );
      })}
    </div>
  );
}

interface MarkButtonProps {
  readonly mark: Mark;
  readonly isPressed: boolean;
  readonly author: string;
  readonly onMark: () => void;
}

function MarkButton({ mark, isPressed, author, onMark }: MarkButtonProps) {
  const w = words.newInsight;
  const isHit = mark === "hit";
  return (
    <Button isSmall icon={isHit ? "check" : "close"} pressed={isPressed} shortcut={isHit ? "+" : "-"} onClick={onMark}>
      {isHit ? w.hit : w.miss}
      <span class="sr-only">: {author}</span>
    </Button>
  );
}
