import { useEffect } from "preact/hooks";
import { tellingScore, type ModelCard } from "../../data/quality.js";
import { useServer } from "../../data/server.js";
import { useModels } from "../../data/settings.js";
import { Chip } from "../../parts/chip.js";
import { DataTable, type Column } from "../../parts/data-table.js";
import { Icon } from "../../parts/icon.js";
import { Load } from "../../parts/states.js";
import { number, preciseShare } from "../../words/numbers.js";
import { words } from "../../words/settings.js";
import styles from "./settings.module.css";

type Engine = ModelCard["engines"][number];
type Score = Engine["scores"][number];

/** The model cards: `#analysis` of the address opens one. */
export function ModelSettings() {
  const models = useModels();
  const isLoaded = models.data !== undefined;
  useEffect(() => {
    if (isLoaded && location.hash !== "") document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isLoaded]);
  return (
    <div class={styles["stack"]}>
      <p class="muted">{words.settings.models.intro}</p>
      <Load query={models} height="40rem">
        {(cards) => (
          <div class={styles["stack"]}>
            {cards.map((card) => (
              <Card key={card.analysis} card={card} />
            ))}
          </div>
        )}
      </Load>
    </div>
  );
}

function Card({ card }: { readonly card: ModelCard }) {
  const w = words.settings.models;
  const { data: server } = useServer();
  const used = server?.analyses.find(({ type }) => type === card.analysis)?.engine;
  return (
    <details class={styles["fold"]} id={card.analysis} open={location.hash === `#${card.analysis}`}>
      <summary class={styles["summary"]}>
        <Icon name="down" size={14} />
        <h2>{words.labels.analysis(card.analysis)}</h2>
        <span class="muted">{bestOf(card, used)}</span>
      </summary>
      <div class={styles["stack"]}>
        <Part title={w.use} text={card.use} />
        <Part title={w.limits} text={card.known_limits} />
        {card.engines.map((engine) => (
          <EngineScores key={engine.engine} engine={engine} isUsed={engine.engine === used} />
        ))}
        <Part title={w.data} text={card.data} />
      </div>
    </details>
  );
}

/** Texts of cards use the marks of Markdown for names; they are shown as they are read. */
function Part({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div>
      <h3>{title}</h3>
      <p>{text.replaceAll("`", "")}</p>
    </div>
  );
}

function bestOf(card: ModelCard, used: string | null | undefined): string {
  const score = tellingScore(card, used);
  if (score === undefined) return "";
  return `${words.settings.models.metrics[score.metric] ?? score.metric} ${preciseShare(score.value)}`;
}

function EngineScores({ engine, isUsed }: { readonly engine: Engine; readonly isUsed: boolean }) {
  const w = words.settings.models;
  const title = w.scores(engine.engine);
  return (
    <div class={styles["stack"]}>
      <div class={styles["row"]}>
        <h3>{title}</h3>
        {isUsed ? <Chip tone="ok">{w.inUse}</Chip> : null}
      </div>
      {engine.languages === null ? null : (
        <p class="muted">{w.languages(engine.languages.map((code) => words.labels.language(code)).join(", "))}</p>
      )}
      <DataTable
        caption={title}
        columns={COLUMNS}
        rows={engine.scores}
        rowKey={({ metric, on }) => `${metric} ${on}`}
      />
    </div>
  );
}

const { columns } = words.settings.models;

const COLUMNS: readonly Column<Score>[] = [
  { key: "metric", label: columns.metric, value: ({ metric }) => words.settings.models.metrics[metric] ?? metric },
  { key: "value", label: columns.value, isNumber: true, value: ({ value }) => preciseShare(value) },
  {
    key: "interval",
    label: columns.interval,
    isNumber: true,
    value: ({ interval }) => (interval === null ? "" : interval.map(preciseShare).join(" – ")),
  },
  { key: "on", label: columns.on, value: ({ on }) => on },
  { key: "rows", label: columns.rows, isNumber: true, value: ({ rows }) => (rows === null ? "" : number(rows)) },
];
