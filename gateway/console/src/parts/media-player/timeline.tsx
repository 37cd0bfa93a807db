import { duration } from "../../words/times.js";
import { analysisWords } from "../../words/analyses.js";
import styles from "./media-player.module.css";
import { placeOf, type Track } from "./moments.js";

export interface TimelineProps {
  readonly tracks: readonly Track[];
  /** Of the film. In seconds. */
  readonly length: number;
  readonly time: number;
  /** Plays from there; absent where nothing can be played. */
  readonly onPlay: ((seconds: number) => void) | undefined;
}

/** When each label is seen: a line each, on the time of the film. Parts of lines play; keys go from moment to moment. */
export function Timeline({ tracks, length, time, onPlay }: TimelineProps) {
  const w = analysisWords.result;
  const percent = (seconds: number): string =>
    `${Math.max(0, Math.min(1, length === 0 ? 0 : seconds / length)) * 100}%`;
  return (
    <div class={styles["timeline"]}>
      <ul>
        {tracks.map(({ key, label, moments }) => {
          const [first] = moments;
          return (
            <li key={key} class={styles["line"]}>
              {onPlay === undefined || first === undefined ? (
                <span class={styles["label"]}>{label}</span>
              ) : (
                <button
                  type="button"
                  class={styles["label"]}
                  title={w.playFrom(label, duration(placeOf(first)))}
                  onClick={() => onPlay(placeOf(first))}
                >
                  {label}
                </button>
              )}
              <span class={styles["track"]} aria-hidden="true">
                {moments.map((moment) => (
                  <span
                    key={moment.start}
                    class={styles["moment"]}
                    title={w.playFrom(label, duration(moment.start))}
                    style={{ left: percent(moment.start), width: percent(moment.end - moment.start) }}
                    onClick={() => onPlay?.(placeOf(moment))}
                  />
                ))}
                <span class={styles["head"]} style={{ left: percent(time) }} />
              </span>
            </li>
          );
        })}
        <li class={styles["line"]} aria-hidden="true">
          <span />
          <span class={styles["scale"]}>
            <span>{duration(0)}</span>
            <span>{duration(length)}</span>
          </span>
        </li>
      </ul>
    </div>
  );
}
