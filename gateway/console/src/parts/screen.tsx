import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../words/words.js";
import styles from "./screen.module.css";

export interface ScreenProps {
  readonly title: string;
  /** Beside the title, such as a state. */
  readonly beside?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

let shown = 0;

/** A screen: after a change of screen the focus is on its heading, so that it is read first. */
export function Screen({ title, beside, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = words.frame.pageTitle(title);
  }, [title]);
  useEffect(() => {
    // The first one is where the browser begins anyway.
    if (shown++ > 0 && document.querySelector("dialog[open]") === null) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div class={styles["screen"]}>
      <div class={styles["head"]}>
        <div class={styles["title"]}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {beside}
        </div>
        {actions === undefined ? null : <div class={styles["actions"]}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}
