import { useMemo } from "preact/hooks";
import styles from "./marked-text.module.css";
import { segmentsOf, type TextSpan } from "./spans.js";

/** What a mark says: it speaks for a label, or against it, or names a topic. */
export type MarkTone = "for" | "against" | "topic";

export interface Mark extends TextSpan {
  readonly tone: MarkTone;
  /** How much, from 0 to 1: the strongest marks are bold. */
  readonly strength: number;
  /** For a tooltip, such as "for anger, .41". */
  readonly title: string;
}

export interface MarkedTextProps {
  readonly text: string;
  readonly marks: readonly Mark[];
  /** The mark that is looked at elsewhere, such as in a list. */
  readonly current?: Mark | undefined;
}

/** From this strength on a mark is drawn as a strong one: as much as half of what the strongest has. */
const STRONG = 0.5;

/** A text of others with marked words. Lines and weight carry the meaning, the tint only helps. */
export function MarkedText({ text, marks, current }: MarkedTextProps) {
  const segments = useMemo(() => segmentsOf(text, marks), [text, marks]);
  const most = Math.max(0, ...marks.map(({ strength }) => strength));
  return (
    <div class={styles["text"]} dir="auto">
      {segments.map(({ start, text: piece, spans }) => {
        const first = strongest(spans);
        if (first === undefined) return piece;
        const names = [
          styles["mark"],
          styles[first.tone],
          first.tone !== "topic" && first.strength >= STRONG * most ? styles["strong"] : "",
          current !== undefined && spans.includes(current) ? styles["current"] : "",
        ];
        return (
          <mark key={start} class={names.filter(Boolean).join(" ")} title={spans.map(({ title }) => title).join("\n")}>
            {piece}
          </mark>
        );
      })}
    </div>
  );
}

/** Of marks on the same words: one that decided before a topic, then the stronger one. */
function strongest(marks: readonly Mark[]): Mark | undefined {
  return marks.reduce<Mark | undefined>((best, mark) => {
    if (best === undefined || (best.tone === "topic" && mark.tone !== "topic")) return mark;
    if (best.tone !== "topic" && mark.tone === "topic") return best;
    return mark.strength > best.strength ? mark : best;
  }, undefined);
}
