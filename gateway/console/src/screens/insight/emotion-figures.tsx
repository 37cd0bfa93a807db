import { Hourglass } from "../../charts/hourglass.js";
import { SmallMultiples, type Multiple } from "../../charts/small-multiples.js";
import { serverNow } from "../../data/clock.js";
import type { Table } from "../../data/csv.js";
import { addressOf, readFilters, toggled, withValues } from "../../data/filters.js";
import { HOURGLASS, STRENGTHS, type Emotion } from "../../data/hourglass.js";
import { countOf, hourglassSeries, stateOf } from "../../data/overview.js";
import type { Summary } from "../../data/summary.js";
import { Figure } from "../../parts/figure.js";
import { useAddress } from "../../parts/navigation.js";
import { number } from "../../words/numbers.js";
import { words } from "../../words/overview.js";
import styles from "./overview.module.css";
import { stepName } from "./view.js";

export interface EmotionFiguresProps {
  readonly summary: Summary;
}

/** The Hourglass: as the table that it is, and over time. */
export function EmotionFigures({ summary }: EmotionFiguresProps) {
  const { path, parameters } = useAddress();
  const { overview } = words;
  const { sentiments } = summary.totals;
  const values = Object.fromEntries(
    HOURGLASS.flatMap(({ emotions }) => emotions.map((emotion) => [emotion, countOf(sentiments, emotion)])),
  ) as Record<Emotion, number>;
  const known = Object.values(values).reduce((sum, value) => sum + value, 0);
  const sentence = overview.emotionsSentence(known, countOf(sentiments, null));
  return (
    <div class={styles["pair"]}>
      <Figure title={overview.emotions} sentence={sentence} table={tableOf(values, known)} file="emotions">
        <Hourglass
          caption={overview.emotions}
          values={values}
          format={number}
          hrefOf={(emotion) => addressOf(path, toggled(parameters, "emotion", emotion))}
          selected={readFilters(parameters).lists.emotion ?? []}
        />
      </Figure>
      <OverTime summary={summary} />
    </div>
  );
}

function OverTime({ summary: { series, interval } }: { readonly summary: Summary }) {
  const { path, parameters } = useAddress();
  const { overview, labels } = words;
  const now = serverNow();
  const isKnown = series.map((point) => !["missing", "future"].includes(stateOf(point, now)));
  const dimensions = hourglassSeries(series);
  const known = (values: readonly number[] = []): (number | null)[] =>
    values.map((value, at) => (isKnown[at] === true ? value : null));
  const multiples = HOURGLASS.map(({ dimension, emotions }): Multiple => {
    const [strongDown, mildDown, mildUp, strongUp] =
      dimensions.find((each) => each.dimension === dimension)?.strengths ?? [];
    const sum = (...lists: (readonly number[] | undefined)[]): number =>
      lists.flatMap((list) => list ?? []).reduce((total, value) => total + value, 0);
    return {
      key: dimension,
      label: labels.dimensions[dimension].replaceAll("\u00ad", ""),
      href: addressOf(path, withValues(parameters, "emotion", emotions)),
      text: `+${number(sum(mildUp, strongUp))} −${number(sum(strongDown, mildDown))}`,
      up: [
        { tone: "positive-mild", values: known(mildUp) },
        { tone: "positive-strong", values: known(strongUp) },
      ],
      down: [
        { tone: "negative-mild", values: known(mildDown) },
        { tone: "negative-strong", values: known(strongDown) },
      ],
    };
  });
  const most = Math.max(
    0,
    ...dimensions.flatMap(({ strengths: [a = [], b = [], c = [], d = []] }) =>
      a.map((value, at) => Math.max(value + (b[at] ?? 0), (c[at] ?? 0) + (d[at] ?? 0))),
    ),
  );
  const [first, last] = [series[0], series.at(-1)];
  return (
    <Figure
      title={overview.emotionsNow}
      sentence={overview.emotionsNowSentence}
      file="emotions-over-time"
      table={{
        columns: [
          overview.stepColumns[0] ?? "",
          ...dimensions.flatMap(({ dimension }) =>
            STRENGTHS.map((strength) =>
              `${labels.dimensions[dimension]} ${labels.strengths[strength]}`.replaceAll("\u00ad", ""),
            ),
          ),
        ],
        rows: series.map(({ start }, at) => [
          start,
          ...dimensions.flatMap(({ strengths }) =>
            strengths.map((values) => (isKnown[at] === true ? (values[at] ?? 0) : null)),
          ),
        ]),
      }}
    >
      <SmallMultiples
        label={overview.emotionsNow}
        multiples={multiples}
        ends={[
          first === undefined ? "" : stepName(first, interval),
          last === undefined ? "" : stepName(last, interval),
        ]}
        scale={overview.scale(most)}
        isTall
      />
    </Figure>
  );
}

function tableOf(values: Readonly<Record<Emotion, number>>, known: number): Table {
  const { overview, labels } = words;
  const plain = (text: string): string => text.replaceAll("\u00ad", "");
  return {
    columns: overview.emotionColumns,
    rows: HOURGLASS.flatMap(({ dimension, emotions }) =>
      emotions.map((emotion, at) => [
        plain(labels.dimensions[dimension]),
        labels.strengths[STRENGTHS[at] ?? "mild-positive"],
        plain(labels.emotion(emotion)),
        values[emotion],
        known === 0 ? null : overview.precise(values[emotion] / known),
      ]),
    ),
  };
}
