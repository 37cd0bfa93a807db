import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { Button } from "./button.js";
import type { IconName } from "./icon.js";
import styles from "./popover.module.css";

export interface PopoverProps {
  /** What opens, for those who do not see it. */
  readonly label: string;
  /** On the button. */
  readonly text: ComponentChildren;
  readonly icon?: IconName;
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a panel beside it. Escape or a click elsewhere closes it, and the focus returns. */
export function Popover({ label, text, icon, children }: PopoverProps) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const open = (): void => {
    const element = panel.current;
    const place = anchor.current?.getBoundingClientRect();
    if (element === null || place === undefined) return;
    element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    const isBelow = place.bottom + height + 4 < innerHeight || place.top < height;
    element.style.left = `${Math.max(8, Math.min(place.left, innerWidth - width - 8))}px`;
    element.style.top = `${isBelow ? place.bottom + 4 : place.top - height - 4}px`;
    element.querySelector<HTMLElement>("a, input, select, button")?.focus();
  };
  const close = (): void => panel.current?.hidePopover();
  return (
    <span ref={anchor}>
      <Button {...(icon === undefined ? {} : { icon })} onClick={open}>
        {text}
      </Button>
      <div ref={panel} id={id} popover="auto" role="dialog" aria-label={label} class={styles["panel"]}>
        {children(close)}
      </div>
    </span>
  );
}
