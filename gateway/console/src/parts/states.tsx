import type { QueryObserverResult } from "@tanstack/query-core";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { describeError } from "../data/failure.js";
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
  return (
    <div class={styles["problem"]} role="alert">
      <div class={styles["title"]}>
        <Icon name="alert" />
        {title}
      </div>
      <p>{text}</p>
      {fields.length === 0 ? null : (
        <ul class={styles["fields"]}>
          {fields.map(({ field, message }) => (
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

export interface LoadProps<T> {
  readonly query: QueryObserverResult<T>;
  /** Height of what will be shown, so that nothing moves when it comes. */
  readonly height: string;
  /** What is done, if it takes long: "counting 210,000 postings". */
  readonly doing?: string;
  readonly children: (value: T) => ComponentChildren;
}

/** What has been read, or that it is being read, or that it failed: old values stay while new ones come. */
export function Load<T>({ query, height, doing = words.frame.slow, children }: LoadProps<T>) {
  const { data, error, isFetching, isError } = query;
  const isSlow = useSlow(isFetching && data === undefined);
  const retry = (): void => void query.refetch();
  if (data === undefined) {
    if (isError) return <Problem error={error} onRetry={retry} />;
    return (
      <div aria-busy="true">
        {isSlow ? <div class={styles["slow"]}>{doing}</div> : null}
        <Skeleton height={height} />
      </div>
    );
  }
  return (
    <>
      {isError ? <Problem error={error} onRetry={retry} /> : null}
      {children(data)}
    </>
  );
}

function useSlow(isWaiting: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isSlow;
}
