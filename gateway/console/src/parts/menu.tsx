import { useId, useRef } from "preact/hooks";
import { Button } from "./button.js";
import { Icon, type IconName } from "./icon.js";
import styles from "./menu.module.css";

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly isDangerous?: boolean;
  /** One of both. */
  readonly href?: string;
  readonly onSelect?: () => void;
}

export interface MenuProps {
  readonly label: string;
  readonly icon?: IconName;
  readonly items: readonly MenuItem[];
  /** Shown beside the icon; without it, the label is a tooltip. */
  readonly text?: string;
}

/** A button that opens a list of actions. Arrows move, Escape closes. */
export function Menu({ label, icon = "more", items, text }: MenuProps) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const open = (): void => {
    const element = menu.current;
    const place = anchor.current?.getBoundingClientRect();
    if (element === null || place === undefined) return;
    element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    const isBelow = place.bottom + height + 4 < innerHeight;
    element.style.left = `${Math.max(8, Math.min(place.right - width, innerWidth - width - 8))}px`;
    element.style.top = `${isBelow ? place.bottom + 4 : Math.max(8, place.top - height - 4)}px`;
    element.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  };
  const close = (): void => menu.current?.hidePopover();
  const move = (event: KeyboardEvent): void => {
    const entries = [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = entries.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    entries[(to + entries.length) % entries.length]?.focus();
  };
  return (
    <span ref={anchor}>
      <Button kind="usual" icon={icon} label={label} onClick={open}>
        {text}
      </Button>
      <div ref={menu} id={id} popover="auto" role="menu" aria-label={label} class={styles["menu"]} onKeyDown={move}>
        {items.map((item) => (
          <Item key={item.label} item={item} onDone={close} />
        ))}
      </div>
    </span>
  );
}

function Item({ item, onDone }: { readonly item: MenuItem; readonly onDone: () => void }) {
  const { label, icon, isDangerous = false, href, onSelect } = item;
  const className = isDangerous ? `${styles["item"] ?? ""} ${styles["danger"] ?? ""}` : styles["item"];
  const content = (
    <>
      {icon === undefined ? null : <Icon name={icon} size={16} />}
      {label}
    </>
  );
  if (href !== undefined) {
    return (
      <a role="menuitem" tabIndex={-1} class={className} href={href} onClick={onDone}>
        {content}
      </a>
    );
  }
  const select = (): void => {
    onDone();
    onSelect?.();
  };
  return (
    <button type="button" role="menuitem" tabIndex={-1} class={className} onClick={select}>
      {content}
    </button>
  );
}
