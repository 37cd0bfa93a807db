import { signal } from "@preact/signals";
import { words } from "../words/words.js";
import { Button } from "./button.js";
import styles from "./toasts.module.css";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isProblem: boolean;
  readonly undo?: () => void;
}

/** How long a short message stays; it disturbs nobody, and what matters stands elsewhere too. In milliseconds. */
const SHOWN_MS = 6_000;

const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Shows a short message; returns what removes it. With `undo` it stays until it is removed. */
export function toast(
  text: string,
  options: { readonly undo?: () => void; readonly isProblem?: boolean } = {},
): () => void {
  const { undo, isProblem = false } = options;
  const id = ++last;
  toasts.value = [...toasts.value, { id, text, isProblem, ...(undo === undefined ? {} : { undo }) }];
  const remove = (): void => {
    toasts.value = toasts.value.filter((other) => other.id !== id);
  };
  if (undo === undefined) setTimeout(remove, SHOWN_MS);
  return remove;
}

/** The messages, above everything. */
export function Toasts() {
  return (
    <div class={styles["toasts"]} role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isProblem, undo }) => (
        <div key={id} class={isProblem ? `${styles["toast"] ?? ""} ${styles["problem"] ?? ""}` : styles["toast"]}>
          <span class={styles["text"]}>{text}</span>
          {undo === undefined ? null : (
            <Button isSmall onClick={undo}>
              {words.frame.undo}
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}
