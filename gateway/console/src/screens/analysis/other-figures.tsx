import type { Found } from "../../data/analyses.js";
import type { Table } from "../../data/csv.js";
import { Chip, Chips } from "../../parts/chip.js";
import { Figure } from "../../parts/figure.js";
import { LabelBars } from "../../parts/label-bars.js";
import { probability } from "../../words/numbers.js";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import styles from "./analysis.module.css";
import { GroupMembers } from "./group-members.js";
import { ModelLine } from "./model-line.js";

interface FigureOf<T extends Found["type"]> {
  readonly found: Extract<Found, { readonly type: T }>;
  readonly file: string;
}

/** Names and things that a text is about. */
export function TopicsFigure({ found, file }: FigureOf<"topic">) {
  const w = analysisWords.result;
  const { data } = found;
  const kindOf = (tag: string | null): string | undefined =>
    tag === null ? undefined : (w.topicKinds[tag] ?? undefined);
  const table: Table = {
    columns: [w.columns.topic, w.columns.kind, w.columns.places],
    rows: data.map(({ value, topic_type: type, sub_type: tag, offsets }) => [
      value,
      [w.topicTypes[type] ?? type, tag].filter(Boolean).join(" "),
      offsets?.length ?? null,
    ]),
  };
  const types = [...new Set(data.map(({ topic_type: type }) => type))];
  return (
    <Figure
      title={words.labels.analysis("topic")}
      sentence={
        data.length === 0
          ? w.noTopics
          : data
              .slice(0, 3)
              .map(({ value }) => value)
              .join(", ")
      }
      table={table}
      file={`${file}-topic`}
      under={<ModelLine found={found} />}
    >
      <div class={styles["stack"]}>
        {types.map((type) => (
          <div key={type} class={styles["kind"]}>
            <h3 class="small">{w.topicTypes[type] ?? type}</h3>
            <Chips>
              {data
                .filter((topic) => topic.topic_type === type)
                .map(({ value, sub_type: tag, offsets = [] }) => (
                  <Chip key={value} {...(offsets.length > 1 ? { title: w.topicPlaces(offsets.length) } : {})}>
                    <span dir="auto">{value}</span>
                    {kindOf(tag) === undefined ? null : <span class="muted"> {kindOf(tag)}</span>}
                    {offsets.length > 1 ? <span class="muted"> {w.topicCount(offsets.length)}</span> : null}
                  </Chip>
                ))}
            </Chips>
          </div>
        ))}
      </div>
    </Figure>
  );
}

/** Four letters, each with what it stands for and its probability. */
export function PersonalityFigure({ found, file }: FigureOf<"personality-mb">) {
  const w = analysisWords.result;
  const { data } = found;
  const shares = [data.prob1, data.prob2, data.prob3, data.prob4];
  const axes = w.personality.axes.map(([one, oneWord, other, otherWord], at) => {
    const isOne = data.value[at] !== other;
    const share = shares[at] ?? 0.5;
    return {
      key: one,
      chosen: isOne ? one : other,
      bars: [
        { value: one, label: `${one} ${oneWord}`, probability: isOne ? share : 1 - share },
        { value: other, label: `${other} ${otherWord}`, probability: isOne ? 1 - share : share },
      ],
    };
  });
  const table: Table = {
    columns: [w.columns.label, w.columns.probability],
    rows: axes.flatMap(({ bars }) => bars.map(({ label, probability: share }) => [label, share])),
  };
  return (
    <Figure
      title={words.labels.analysis("personality-mb")}
      sentence={
        <>
          {data.value} ({shares.map(probability).join(", ")}). <strong>{w.personality.caveat}</strong>
        </>
      }
      table={table}
      file={`${file}-personality`}
      under={<ModelLine found={found} />}
    >
      <div class={styles["stack"]}>
        {data.group ? <GroupMembers groupIndex={found.group_index} /> : null}
        {axes.map(({ key, chosen, bars }) => (
          <LabelBars key={key} label={bars.map(({ label }) => label).join(", ")} chosen={chosen} bars={bars} />
        ))}
      </div>
    </Figure>
  );
}
