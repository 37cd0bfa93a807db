import type { Label } from "../../data/posting-view.js";
import { probability } from "../../words/numbers.js";
import { words } from "../../words/words.js";
import styles from "./posting-card.module.css";

export interface LabelChipProps {
  readonly kind: "polarity" | "emotion" | "intention";
  readonly label: Label;
  /** Without the probability, which a list has no room for. */
  readonly isShort?: boolean;
}

/** A label as it is stored: with its probability, and what is unsure in grey and in brackets. */
export function LabelChip({ kind, label: { value, prob, isUnsure }, isShort = false }: LabelChipProps) {
  const name = words.labels[kind](value);
  const tone = kind === "polarity" ? (styles[value] ?? "") : "";
  return (
    <span
      class={`${styles["label"] ?? ""} ${isUnsure ? (styles["unsure"] ?? "") : tone}`}
      title={isUnsure ? words.labels.unsureHelp : undefined}
    >
      {kind === "polarity" ? <span aria-hidden="true">{words.labels.polaritySign(value)} </span> : null}
      {isUnsure ? words.labels.unsure(name) : name}
      {isShort || prob === undefined ? null : <span class={styles["prob"]}> {probability(prob)}</span>}
    </span>
  );
}
