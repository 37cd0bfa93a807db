import { HOURGLASS, STRENGTHS, type Emotion } from "../data/hourglass.js";
import { words } from "../words/words.js";
import styles from "./hourglass.module.css";

export interface HourglassProps {
  readonly caption: string;
  /** What each emotion has: a count, or a probability. */
  readonly values: Readonly<Partial<Record<Emotion, number>>>;
  /** The longest bar. Default: the largest value. */
  readonly most?: number;
  readonly format: (value: number) => string;
  /** Where the cell of an emotion leads. */
  readonly hrefOf?: (emotion: Emotion) => string | undefined;
  readonly selected?: readonly string[];
  /** The emotion that was chosen, of one text. */
  readonly winner?: Emotion | undefined;
}

/** The 20 emotions as the table that they are: five dimensions, two strengths on either side of the waist. */
export function Hourglass(props: HourglassProps) {
  const { caption, values } = props;
  const most = props.most ?? Math.max(1, ...Object.values(values));
  const { dimensions, strengths } = words.labels;
  return (
    <div class={styles["holder"]}>
      <table class={styles["table"]}>
        <caption class="sr-only">{caption}</caption>
        <thead>
          <tr>
            <td />
            {STRENGTHS.map((strength) => (
              <th key={strength} scope="col">
                {strengths[strength]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {HOURGLASS.map(({ dimension, emotions }) => (
            <tr key={dimension}>
              <th scope="row">{dimensions[dimension]}</th>
              {emotions.map((emotion, at) => (
                <td key={emotion} class={at === 1 ? styles["waist"] : undefined}>
                  <Cell {...props} emotion={emotion} tone={STRENGTHS[at] ?? ""} most={most} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps extends HourglassProps {
  readonly emotion: Emotion;
  readonly tone: string;
  readonly most: number;
}

function Cell({ values, most, format, hrefOf, selected = [], winner, emotion, tone }: CellProps) {
  const value = values[emotion] ?? 0;
  const href = hrefOf?.(emotion);
  const names = [
    styles["cell"],
    selected.includes(emotion) ? styles["selected"] : "",
    winner === emotion ? styles["framed"] : "",
  ];
  const content = (
    <>
      <span class={styles["word"]}>{words.labels.emotion(emotion)}</span>
      <span class={styles["line"]}>
        <span class={styles["track"]} aria-hidden="true">
          <span
            class={`${styles["bar"] ?? ""} ${styles[tone] ?? ""}`}
            style={{ display: "block", width: `${most === 0 ? 0 : (value / most) * 100}%` }}
          />
        </span>
        {format(value)}
      </span>
    </>
  );
  const className = names.filter(Boolean).join(" ");
  if (href === undefined) return <div class={className}>{content}</div>;
  return (
    <a class={className} href={href} aria-current={selected.includes(emotion) ? "true" : undefined}>
      {content}
    </a>
  );
}
