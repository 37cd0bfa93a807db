import type { ComponentChildren } from "preact";
import { words } from "../words/words.js";
import styles from "./chip.module.css";
import { Icon } from "./icon.js";

export type ChipTone = "plain" | "ok" | "warn" | "danger";

export interface ChipProps {
  readonly children: ComponentChildren;
  readonly tone?: ChipTone;
  /** Makes it a link, such as one that filters. */
  readonly href?: string;
  /** Where the address without it leads. */
  readonly removeHref?: string;
  /** What is removed, for those who only hear the button. */
  readonly removeLabel?: string;
  readonly title?: string;
}

/** A short value: a filter, a state, a label. */
export function Chip({ children, tone = "plain", href, removeHref, removeLabel, title }: ChipProps) {
  const className = tone === "plain" ? styles["chip"] : `${styles["chip"] ?? ""} ${styles[tone] ?? ""}`;
  const content = <span class={styles["text"]}>{children}</span>;
  if (href !== undefined) {
    return (
      <a class={className} href={href} title={title}>
        {content}
      </a>
    );
  }
  return (
    <span class={className} title={title}>
      {content}
      {removeHref === undefined ? null : (
        <a class={styles["remove"]} href={removeHref} aria-label={removeLabel ?? words.frame.remove}>
          <Icon name="close" size={12} />
        </a>
      )}
    </span>
  );
}

/** Chips beside each other. */
export function Chips({ children }: { readonly children: ComponentChildren }) {
  return <div class={styles["chips"]}>{children}</div>;
}
