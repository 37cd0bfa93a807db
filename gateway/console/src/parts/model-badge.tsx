import { tellingScore, type ModelCard } from "../data/quality.js";
import { preciseShare } from "../words/numbers.js";
import { analysisWords } from "../words/analyses.js";
import { words } from "../words/words.js";
import styles from "./model-badge.module.css";

export interface ModelBadgeProps {
  readonly analysis: string;
  /** The card of its model; undefined while it is read. */
  readonly card: ModelCard | undefined;
  /** What the server uses, such as `accurate`. */
  readonly engine?: string | null | undefined;
}

/** How well the model of a label was measured, and the way to its card. */
export function ModelBadge({ analysis, card, engine }: ModelBadgeProps) {
  const w = analysisWords;
  const score = card === undefined ? undefined : tellingScore(card, engine);
  return (
    <span class={styles["badge"]}>
      {card === undefined ? null : score === undefined ? (
        <span>{w.noQuality}</span>
      ) : (
        <span title={w.qualityOn(score.on)}>{w.quality(score.metric, preciseShare(score.value))}</span>
      )}
      <a href={`/settings/models#${analysis}`} aria-label={w.cardOf(words.labels.analysis(analysis))}>
        {w.card}
      </a>
    </span>
  );
}
