import styles from "./tabs.module.css";

export interface Tab {
  readonly href: string;
  readonly label: string;
  readonly isCurrent: boolean;
}

/** The parts of a screen. Each has its own address. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav class={styles["tabs"]} aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} class={styles["tab"]} href={tab.href} aria-current={tab.isCurrent ? "page" : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
