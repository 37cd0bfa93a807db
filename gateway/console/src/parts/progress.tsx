import styles from "./progress.module.css";

/** How far something is, beside the words that say it. */
export function Progress({
  label,
  done,
  total,
}: {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}) {
  const part = total === 0 ? 0 : Math.max(0, Math.min(1, done / total));
  return (
    <div
      class={styles["track"]}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
    >
      <div class={styles["bar"]} style={{ width: `${part * 100}%` }} />
    </div>
  );
}
