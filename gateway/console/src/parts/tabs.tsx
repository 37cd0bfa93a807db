import { useEffect, useRef } from "preact/hooks";
import styles from "./tabs.module.css";

export interface Tab {
  readonly href: string;
  readonly label: string;
  readonly isCurrent: boolean;
}

/** The parts of a screen. Each has its own address. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const row = useRef<HTMLElement>(null);
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href;
  // In little room the row is longer than the screen.
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (row.current === null || tab === null || tab === undefined) return;
    const { left, right } = row.current.getBoundingClientRect();
    const place = tab.getBoundingClientRect();
    if (place.left < left || place.right > right) row.current.scrollLeft += place.right - right;
  }, [current]);
  return (
    <nav ref={row} class={styles["tabs"]} aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} class={styles["tab"]} href={tab.href} aria-current={tab.isCurrent ? "page" : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
