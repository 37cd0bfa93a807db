import { probability } from "../words/numbers.js";
import { words } from "../words/words.js";
import styles from "./label-bars.module.css";

export type LabelTone = "usual" | "positive" | "negative" | "neutral";

export interface LabelBar {
  /** The label as the interface names it. */
  readonly value: string;
  /** The label as people say it. */
  readonly label: string;
  readonly probability: number;
  readonly tone?: LabelTone;
}

export interface LabelBarsProps {
  /** Of what the labels are. */
  readonly label: string;
  readonly bars: readonly LabelBar[];
  /** The label that was chosen: it stands first and is bold. */
  readonly chosen: string | undefined;
  /** Whether the choice is unsure: it is grey and in brackets. */
  readonly isUnsure?: boolean;
}

/** The probability of every label of one text, each on the scale from 0 to 1, the likeliest first. */
export function LabelBars({ label, bars, chosen, isUnsure = false }: LabelBarsProps) {
  const sorted = [...bars].sort((a, b) => b.probability - a.probability);
  return (
    <ul class={styles["list"]} aria-label={label}>
      {sorted.map(({ value, label: name, probability: share, tone = "usual" }) => {
        const isChosen = value === chosen;
        const isGrey = isChosen && isUnsure;
        return (
          <li key={value} class={isChosen ? `${styles["row"] ?? ""} ${styles["chosen"] ?? ""}` : styles["row"]}>
            <span class={styles["name"]} title={isGrey ? words.labels.unsureHelp : undefined}>
              {isGrey ? words.labels.unsure(name) : name}
            </span>
            <span class={styles["track"]} aria-hidden="true">
              <span
                class={`${styles["bar"] ?? ""} ${styles[isGrey ? "neutral" : tone] ?? ""}`}
                style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }}
              />
            </span>
            <span class={styles["number"]}>{probability(share)}</span>
          </li>
        );
      })}
    </ul>
  );
}
