import type { ComponentChildren } from "preact";
import type { Found } from "../../data/analyses.js";
import type { Table } from "../../data/csv.js";
import { HOURGLASS, UNSURE_BELOW, type Emotion } from "../../data/hourglass.js";
import { Hourglass } from "../../charts/hourglass.js";
import { Figure } from "../../parts/figure.js";
import { LabelBars } from "../../parts/label-bars.js";
import { probability } from "../../words/numbers.js";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import styles from "./analysis.module.css";
import { labelOf, toneOf, type Classified, type DecidingSpan } from "./findings.js";
import { ModelLine } from "./model-line.js";

export interface LabelFigureProps {
  readonly found: Found;
  readonly result: Classified;
  /** Name of a CSV file without its ending. */
  readonly file: string;
}

/** The label of a text with the probabilities of all labels, what decided it, and how good its model is. */
export function LabelFigure({ found, result, file }: LabelFigureProps) {
  const { type } = found;
  const { value, prob, explanation } = result;
  const probabilities = explanation?.probabilities ?? { [value]: prob };
  const label = labelOf(type, value);
  const isUnsure = type === "sentiment-real" && prob < UNSURE_BELOW;
  const w = analysisWords.result;
  const table: Table = {
    columns: [w.columns.label, w.columns.probability],
    rows: Object.entries(probabilities)
      .sort(([, a], [, b]) => b - a)
      .map(([one, share]) => [labelOf(type, one).replaceAll("\u00ad", ""), share]),
  };
  return (
    <Figure
      title={words.labels.analysis(type)}
      sentence={(isUnsure ? w.unsure : w.chosen)(label, probability(prob))}
      table={table}
      file={`${file}-${type}`}
      under={
        <>
          {explanation === undefined ? null : <Reasons label={label} spans={explanation.spans} />}
          <ModelLine found={found} />
        </>
      }
    >
      {type === "sentiment-real" ? (
        <Emotions label={w.chosen(label, probability(prob))} probabilities={probabilities} winner={value} />
      ) : (
        <LabelBars
          label={words.labels.analysis(type)}
          chosen={value}
          isUnsure={isUnsure}
          bars={Object.entries(probabilities).map(([one, share]) => ({
            value: one,
            label: labelOf(type, one),
            probability: share,
            tone: toneOf(type, one),
          }))}
        />
      )}
    </Figure>
  );
}

const EMOTIONS: ReadonlySet<string> = new Set(HOURGLASS.flatMap(({ emotions }) => emotions));

interface EmotionsProps {
  readonly label: string;
  readonly probabilities: Readonly<Record<string, number>>;
  readonly winner: string;
}

/** The probability of each emotion. Without reasons only that of the chosen one is known. */
function Emotions({ label, probabilities, winner }: EmotionsProps) {
  const values = Object.fromEntries(Object.entries(probabilities).filter(([emotion]) => EMOTIONS.has(emotion)));
  const isWhole = Object.keys(values).length > 1;
  return (
    <Hourglass
      caption={label}
      values={values}
      most={Math.max(...Object.values(values))}
      format={(value) => (value === 0 && !isWhole ? "" : probability(value))}
      winner={EMOTIONS.has(winner) ? (winner as Emotion) : undefined}
    />
  );
}

/** The words for a label and against it, the strongest first. */
function Reasons({ label, spans }: { readonly label: string; readonly spans: readonly DecidingSpan[] }) {
  const w = analysisWords.result;
  if (spans.length === 0) return <p class="small muted">{w.nothingStandsOut}</p>;
  const part = (title: string, some: readonly DecidingSpan[]): ComponentChildren =>
    some.length === 0 ? null : (
      <p class="small">
        <strong>{title}</strong>{" "}
        {some.map(({ start, text, weight }, at) => (
          <span key={start}>
            {at === 0 ? "" : ", "}
            <q class={styles["quote"]} dir="auto">
              {text}
            </q>{" "}
            <span class="muted">{probability(Math.abs(weight))}</span>
          </span>
        ))}
      </p>
    );
  return (
    <div>
      {part(
        w.speaksFor(label),
        spans.filter(({ weight }) => weight > 0),
      )}
      {part(
        w.speaksAgainst(label),
        spans.filter(({ weight }) => weight <= 0),
      )}
    </div>
  );
}
