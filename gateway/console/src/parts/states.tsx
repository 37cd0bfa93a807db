import type { QueryObserverResult } from "@tanstack/query-core";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { describeError } from "../data/failure.js";
import { stopReading } from "../data/reading.js";
import { words } from "../words/words.js";
import { Button } from "./button.js";
import { CopyButton } from "./copy-button.js";
import { Icon } from "./icon.js";
import styles from "./states.module.css";

/** How long a request may take before the screen says what happens. In milliseconds. */
const SLOW_MS = 5_000;

export interface ProblemProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** What can be done about it here. */
  readonly children?: ComponentChildren;
}

/** A failure in its own place: what happened, what to do, and the request's id. */
export function Problem({ error, onRetry, children }: ProblemProps) {
  const { title, text, fields, requestId, mayRetry } = describeError(error);
  // A sentence about a single field has all of it.
  const listed = fields.length === 1 && fields.every(({ field }) => text.startsWith(`${field}:`)) ? [] : fields;
  return (
    <div class={styles["problem"]} role="alert">
      <div class={styles["title"]}>
        <Icon name="alert" />
        {title}
      </div>
      <p>{text}</p>
      {listed.length === 0 ? null : (
        <ul class={styles["fields"]}>
          {listed.map(({ field, message }) => (
            <li key={field + message}>
              <code>{field}</code>: {message}
            </li>
          ))}
        </ul>
      )}
      {children}
      <div class={styles["row"]}>
        {onRetry === undefined || !mayRetry ? null : (
          <Button isSmall onClick={onRetry}>
            {words.frame.retry}
          </Button>
        )}
        {requestId === undefined ? null : (
          <>
            <span class="muted small">{words.problems.requestId(requestId)}</span>
            <CopyButton text={requestId} />
          </>
        )}
      </div>
    </div>
  );
}

/** Why there is nothing, and the next step. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class={styles["empty"]}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A place of the final size; nothing is seen of it during the first 300 ms. */
export function Skeleton({
  height,
  label = words.frame.loading,
}: {
  readonly height: string;
  readonly label?: string;
}) {
  return <div class={styles["skeleton"]} style={{ height }} role="img" aria-label={label} />;
}

export interface WaitingProps {
  /** Height of what will be shown, so that nothing moves when it comes. */
  readonly height: string;
  /** What is done, if it takes long: "counting 210,000 postings". */
  readonly doing?: string | undefined;
  /** Stops it, so that nobody has to wait. */
  readonly onCancel: () => void;
}

/** What is being read: after five seconds, what is done, and a way to stop it. */
export function Waiting({ height, doing = words.frame.slow, onCancel }: WaitingProps) {
  const isSlow = useSlow();
  return (
    <div aria-busy="true">
      <div role="status">
        {isSlow ? (
          <div class={styles["slow"]}>
            {doing}
            <Button isSmall onClick={onCancel}>
              {words.frame.cancel}
            </Button>
          </div>
        ) : null}
      </div>
      <Skeleton height={height} />
    </div>
  );
}

/** What its reader no longer wanted to wait for. */
export function Canceled({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div class={styles["slow"]} role="status">
      {words.frame.canceled}
      <Button isSmall onClick={onRetry}>
        {words.frame.retry}
      </Button>
    </div>
  );
}

export interface LoadProps<T> {
  readonly query: QueryObserverResult<T>;
  readonly height: string;
  readonly doing?: string;
  readonly children: (value: T) => ComponentChildren;
}

/** What has been read, or that it is being read, or that it failed: old values stay while new ones come. */
export function Load<T>({ query, height, doing, children }: LoadProps<T>) {
  const { data, error, isError } = query;
  const [isCanceled, setCanceled] = useState(false);
  const retry = (): void => {
    setCanceled(false);
    void query.refetch();
  };
  const cancel = (): void => {
    setCanceled(true);
    stopReading(query);
  };
  if (data === undefined) {
    if (isError) return <Problem error={error} onRetry={retry} />;
    if (isCanceled) return <Canceled onRetry={retry} />;
    return <Waiting height={height} doing={doing} onCancel={cancel} />;
  }
  return (
    <>
      {isError ? <Problem error={error} onRetry={retry} /> : null}
      {children(data)}
    </>
  );
}

function useSlow(): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSlow;
}
