import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { words } from "../words/words.js";
import { Button } from "./button.js";
import styles from "./dialog.module.css";

export interface DialogProps {
  readonly title: string;
  /** Not given: the dialog cannot be closed without an answer. */
  readonly onClose?: () => void;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
  /** Buttons at the end. */
  readonly actions?: ComponentChildren;
}

/** A dialog over the page, as long as it is rendered. The focus returns to where it was. */
export function Dialog({ title, onClose, isWide = false, children, actions }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? `${styles["dialog"] ?? ""} ${styles["wide"] ?? ""}` : styles["dialog"]}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClick={(event) => {
        // A click outside hits the dialog itself; inside, its content.
        if (event.target === event.currentTarget && isOutside(event, event.currentTarget)) onClose?.();
      }}
    >
      <div class={styles["head"]}>
        <h2 id={id}>{title}</h2>
        {onClose === undefined ? null : (
          <Button kind="plain" icon="close" label={words.frame.close} shortcut="Esc" isSmall onClick={onClose} />
        )}
      </div>
      {children}
      {actions === undefined ? null : <div class={styles["actions"]}>{actions}</div>}
    </dialog>
  );
}

function isOutside({ clientX, clientY }: MouseEvent, dialog: HTMLDialogElement): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
