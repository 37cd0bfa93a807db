import type { ComponentChildren } from "preact";
import { words } from "../../words/words.js";
import { moment } from "../../words/times.js";
import type { Label, PostingView } from "../../data/posting-view.js";
import { LabelChip } from "./label-chip.js";
import styles from "./posting-card.module.css";

export interface PostingCardProps {
  readonly posting: PostingView;
  /** Where its detail is; without one, the card is read where it is. */
  readonly href?: string;
  /** The posting that keys act on. */
  readonly isCurrent?: boolean;
  /** When the card of the chosen posting is chosen again. */
  readonly onOpen?: () => void;
  readonly onFocus?: () => void;
  /** Place among all postings of the list, from 1; -1 as the size: not known. */
  readonly position?: number;
  readonly size?: number;
  /** What can be done with it. */
  readonly actions?: ComponentChildren;
}

/** A posting in a list: who, where and when, its beginning, its labels and counts. Its texts are of others. */
export function PostingCard(props: PostingCardProps) {
  const { posting, href, isCurrent = false, onOpen, onFocus, position, size, actions } = props;
  const { platform, at, author = words.postingCard.unknownAuthor, title, excerpt } = posting;
  const headline = (
    <>
      <span class={styles["platform"]}>{words.labels.platform(platform)}</span>
      <span class={styles["time"]}>{at === undefined ? words.postingCard.unknownTime : moment(new Date(at))}</span>
      <bdi class={styles["author"]}>{author}</bdi>
    </>
  );
  return (
    <article
      class={isCurrent ? `${styles["card"] ?? ""} ${styles["current"] ?? ""}` : styles["card"]}
      aria-posinset={position}
      aria-setsize={size}
      aria-label={words.postingCard.by(author, words.labels.platform(platform))}
      tabIndex={href === undefined ? 0 : undefined}
      aria-current={isCurrent ? "true" : undefined}
      onFocusIn={onFocus}
    >
      {href === undefined ? (
        <div class={styles["head"]}>{headline}</div>
      ) : (
        <a
          class={`${styles["head"] ?? ""} ${styles["link"] ?? ""}`}
          href={href}
          onClick={(event) => {
            if (!isCurrent || onOpen === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            event.stopPropagation();
            onOpen();
          }}
        >
          {headline}
        </a>
      )}
      {title === undefined ? null : (
        <p class={styles["title"]} dir="auto">
          {title}
        </p>
      )}
      {excerpt === "" && title === undefined ? <p class="muted">{words.postingCard.noText}</p> : null}
      {excerpt === "" ? null : (
        <p class={styles["text"]} dir="auto">
          {excerpt}
        </p>
      )}
      <Foot posting={posting} />
      {actions === undefined ? null : <div class={styles["actions"]}>{actions}</div>}
    </article>
  );
}

function Foot({ posting }: { readonly posting: PostingView }) {
  const { polarity, emotion, intention, isSpam, topic, counts } = posting;
  const shown: readonly (readonly ["polarity" | "emotion" | "intention", Label | undefined])[] = [
    ["polarity", polarity],
    ["emotion", emotion],
    ["intention", intention?.value === "none" ? undefined : intention],
  ];
  return (
    <div class={styles["foot"]}>
      {isSpam ? <span class={styles["spam"]}>{words.postingCard.spam}</span> : null}
      {shown.map(([kind, label]) =>
        label === undefined ? null : <LabelChip key={kind} kind={kind} label={label} isShort />,
      )}
      {topic === undefined ? null : <bdi class={styles["topic"]}>{topic}</bdi>}
      <span class={styles["counts"]}>
        {counts.map(({ name, value }) => words.postingCard.count(name, value)).join(" · ")}
      </span>
    </div>
  );
}
