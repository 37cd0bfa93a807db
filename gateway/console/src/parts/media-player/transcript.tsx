import { duration } from "../../words/times.js";
import styles from "./media-player.module.css";

export interface TranscriptProps {
  readonly label: string;
  readonly segments: readonly { readonly start: number; readonly end: number; readonly text: string }[];
  readonly time: number;
  readonly onPlay: ((seconds: number) => void) | undefined;
}

/** What is said, or seen, and when; a line plays from there. */
export function Transcript({ label, segments, time, onPlay }: TranscriptProps) {
  return (
    <ol class={styles["transcript"]} aria-label={label}>
      {segments.map(({ start, end, text }) => (
        <li key={start} aria-current={time > 0 && time >= start && time < end ? "true" : undefined}>
          {onPlay === undefined ? (
            <time class={styles["time"]}>{duration(start)}</time>
          ) : (
            <button type="button" class={styles["time"]} onClick={() => onPlay(start)}>
              {duration(start)}
            </button>
          )}
          <span dir="auto">{text}</span>
        </li>
      ))}
    </ol>
  );
}
