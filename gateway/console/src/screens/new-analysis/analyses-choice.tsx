import { type AnalysisType, MEDIA_ANALYSES, TEXT_ANALYSES } from "../../data/analysis-types.js";
import type { ModelCard } from "../../data/quality.js";
import { useModels } from "../../data/settings.js";
import type { Server } from "../../data/server.js";
import { Button } from "../../parts/button.js";
import { Check } from "../../parts/field.js";
import { ModelBadge } from "../../parts/model-badge.js";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import styles from "./new-analysis.module.css";

export interface AnalysesChoiceProps {
  readonly server: Server;
  readonly chosen: readonly AnalysisType[];
  /** Whether the contents have pictures. */
  readonly hasMedia: boolean;
  readonly error: string | undefined;
  readonly onChange: (chosen: readonly AnalysisType[]) => void;
}

/** Why an analysis is not possible on this server; undefined: it is. */
export function missingReason(server: Server, analysis: AnalysisType): string | undefined {
  const found = server.analyses.find(({ type }) => type === analysis);
  if (found?.state !== "missing") return undefined;
  return [found.reason, found.cure].filter(Boolean).join(" ");
}

/** The analyses, in groups, each with what it tells and how well it was measured. */
export function AnalysesChoice({ server, chosen, hasMedia, error, onChange }: AnalysesChoiceProps) {
  const { data: cards = [] } = useModels();
  const { groups, analyses } = analysisWords.create;
  const group = (title: string, types: readonly AnalysisType[]) => (
    <Group
      title={title}
      types={types}
      server={server}
      cards={cards}
      chosen={chosen}
      onChange={(some) => onChange([...chosen.filter((type) => !types.includes(type)), ...some])}
    />
  );
  return (
    <section class={styles["card"]} aria-label={analyses}>
      <h2>{analyses}</h2>
      {error === undefined ? null : (
        <p class={styles["fault"]} role="alert">
          {error}
        </p>
      )}
      {group(groups.text, TEXT_ANALYSES)}
      {hasMedia ? group(groups.media, MEDIA_ANALYSES) : null}
    </section>
  );
}

interface GroupProps {
  readonly title: string;
  readonly types: readonly AnalysisType[];
  readonly server: Server;
  readonly cards: readonly ModelCard[];
  readonly chosen: readonly AnalysisType[];
  readonly onChange: (chosen: readonly AnalysisType[]) => void;
}

function Group({ title, types, server, cards, chosen, onChange }: GroupProps) {
  const w = analysisWords;
  const possible = types.filter((type) => missingReason(server, type) === undefined);
  const own = types.filter((type) => chosen.includes(type));
  return (
    <fieldset class={styles["group"]}>
      <legend>
        <h3>{title}</h3>
      </legend>
      <div class={styles["row"]}>
        <Button kind="plain" isSmall onClick={() => onChange(possible)}>
          {w.create.all}
        </Button>
        <Button kind="plain" isSmall onClick={() => onChange([])}>
          {w.create.none}
        </Button>
      </div>
      <div class={styles["checks"]}>
        {types.map((type) => {
          const missing = missingReason(server, type);
          const engine = server.analyses.find((one) => one.type === type)?.engine;
          return (
            <Check
              key={type}
              label={words.labels.analysis(type)}
              checked={missing === undefined && own.includes(type)}
              disabled={missing !== undefined}
              onChange={(isOn) => onChange(isOn ? [...own, type] : own.filter((one) => one !== type))}
              help={
                <>
                  {w.tells(type)}{" "}
                  {missing === undefined ? (
                    <ModelBadge
                      analysis={type}
                      card={cards.find(({ analysis }) => analysis === type)}
                      engine={engine}
                    />
                  ) : (
                    <strong>{w.create.missing(missing)}</strong>
                  )}
                </>
              }
            />
          );
        })}
      </div>
    </fieldset>
  );
}
