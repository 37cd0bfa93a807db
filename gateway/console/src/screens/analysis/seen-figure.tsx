import type { Found } from "../../data/analyses.js";
import type { Table } from "../../data/csv.js";
import { Figure } from "../../parts/figure.js";
import { LabelBars } from "../../parts/label-bars.js";
import type { NumberedBox } from "../../parts/picture-with-boxes/boxes.js";
import { probability } from "../../words/numbers.js";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import styles from "./analysis.module.css";
import { type Detection, nsfwSentence } from "./findings.js";
import { ModelLine } from "./model-line.js";

export interface SeenFigureProps {
  readonly found: Found;
  readonly seen: readonly Detection[];
  /** Those of the picture; the ones of this analysis are found by their label. */
  readonly boxes: readonly NumberedBox[];
  readonly current: number | undefined;
  readonly onCurrent: (number: number | undefined) => void;
  readonly file: string;
}

/** What one analysis has seen: each label with its probability, and each place of it by its number in the picture. */
export function SeenFigure({ found, seen, boxes, current, onCurrent, file }: SeenFigureProps) {
  const { type } = found;
  const w = analysisWords.result;
  const table: Table = {
    columns: [w.columns.label, w.columns.probability, w.columns.count],
    rows: seen.map(({ value, prob, count, boxes: places }) => [value, prob, count ?? places?.length ?? null]),
  };
  const nsfw = nsfwSentence(found);
  const own = boxes.filter((box) => seen.some(({ boxes: places = [] }) => places.includes(box.box)));
  return (
    <Figure
      title={words.labels.analysis(type)}
      sentence={
        seen.length === 0
          ? w.nothingDetected
          : seen.map(({ value, count = 1 }) => (count > 1 ? `${value} ${w.times(count)}` : value)).join(", ")
      }
      table={table}
      file={`${file}-${type}`}
      under={<ModelLine found={found} />}
    >
      <LabelBars
        label={words.labels.analysis(type)}
        chosen={undefined}
        bars={seen.map(({ value, prob }) => ({ value, label: value, probability: prob }))}
      />
      {nsfw === undefined ? null : <p class="small muted">{nsfw}</p>}
      {own.length === 0 ? null : (
        <ul class={styles["places"]}>
          {own.map(({ number, label, box }) => (
            <li key={number}>
              <button
                type="button"
                class={styles["choice"]}
                aria-pressed={number === current}
                onClick={() => onCurrent(number === current ? undefined : number)}
              >
                {w.boxName(number, label)} <span class="muted">{probability(box[4] ?? 0)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Figure>
  );
}
