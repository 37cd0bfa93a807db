import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ContentResult } from "../../data/analyses.js";
import { usePicture, useStoredFile } from "../../data/files.js";
import { useAddress } from "../../parts/navigation.js";
import { useVisible } from "../../parts/visible.js";
import { number } from "../../words/numbers.js";
import { analysisWords } from "../../words/analyses.js";
import styles from "./analysis.module.css";
import { glance } from "./findings.js";

/** Characters of a text in its row. */
const START_LENGTH = 120;

export interface ContentListProps {
  /** Undefined: not read yet. */
  readonly contents: readonly (string | number | undefined)[];
  /** Those that have been read, in order. */
  readonly results: readonly ContentResult[];
  /** From 0. */
  readonly current: number;
  /** Is called with the index of a row that is seen. */
  readonly onSeen: (index: number) => void;
}

/** The contents of an analysis. What is seen of the list is read. */
export function ContentList({ contents, results, current, onSeen }: ContentListProps) {
  const { hrefWith } = useAddress();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const show = (): void => {
      const row = list.current?.children[current];
      if (row instanceof HTMLElement && list.current !== null) reveal(list.current, row);
    };
    show();
    // Rows that come into view get their own height, and move what is below them.
    const frame = requestAnimationFrame(show);
    return () => cancelAnimationFrame(frame);
  }, [current]);
  return (
    <ol ref={list} class={styles["list"]} aria-label={analysisWords.result.contents} tabIndex={-1}>
      {contents.map((content, index) => (
        <Row
          key={index}
          index={index}
          content={content}
          result={results[index]}
          href={hrefWith({ content: String(index + 1) })}
          isCurrent={index === current}
          onSeen={onSeen}
        />
      ))}
    </ol>
  );
}

interface RowProps {
  readonly index: number;
  readonly content: string | number | undefined;
  readonly result: ContentResult | undefined;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly onSeen: (index: number) => void;
}

function Row({ index, content, result, href, isCurrent, onSeen }: RowProps) {
  const row = useRef<HTMLLIElement>(null);
  const isVisible = useVisible(row);
  useEffect(() => {
    if (isVisible) onSeen(index);
  }, [isVisible]);
  return (
    <li ref={row} class={styles["entry"]}>
      <a class={styles["link"]} href={href} aria-current={isCurrent ? "true" : undefined}>
        <span class={styles["index"]}>{number(index + 1)}</span>
        {typeof content === "number" ? (
          <FileStart id={content} isVisible={isVisible} below={<Glance result={result} />} />
        ) : (
          <span class={styles["start"]}>
            <span class={styles["words"]} dir="auto">
              {content?.slice(0, START_LENGTH)}
            </span>
            <Glance result={result} />
          </span>
        )}
      </a>
    </li>
  );
}

function Glance({ result }: { readonly result: ContentResult | undefined }) {
  if (result === undefined) return null;
  const hasFailed = result.error_code !== undefined && isGrave(result.error_code);
  return (
    <span class="small muted">
      {hasFailed ? <strong class={styles["bad"]}>! {analysisWords.result.errorRow} </strong> : null}
      {glance(result).join(" · ")}
    </span>
  );
}

/** Whether an error means that something failed, and not only that there was nothing to find. */
export function isGrave(code: string): boolean {
  return code !== "not_applicable" && code !== "speech_unclear" && code !== "unsupported_script";
}

interface FileStartProps {
  readonly id: number;
  readonly isVisible: boolean;
  readonly below: ComponentChildren;
}

function FileStart({ id, isVisible, below }: FileStartProps) {
  const { data: file } = useStoredFile(isVisible ? id : undefined);
  const { url } = usePicture(file === undefined || file.width === null ? undefined : id, 64);
  return (
    <>
      {url === undefined ? null : <img class={styles["thumbnail"]} src={url} alt="" />}
      <span class={styles["start"]}>
        <span class={styles["words"]} dir="auto">
          {file?.name ?? analysisWords.result.fileName(id)}
        </span>
        {below}
      </span>
    </>
  );
}

/** Scrolls the list, but not the page. */
function reveal(list: HTMLElement, row: HTMLElement): void {
  const above = row.offsetTop;
  if (above < list.scrollTop) list.scrollTop = above;
  else if (above + row.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = above + row.offsetHeight - list.clientHeight;
  }
}
