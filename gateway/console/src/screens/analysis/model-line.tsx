import type { Found } from "../../data/analyses.js";
import { useModels } from "../../data/settings.js";
import { useServer } from "../../data/server.js";
import { ModelBadge } from "../../parts/model-badge.js";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import styles from "./analysis.module.css";

/** What made a result, for which language, and how good it is. */
export function ModelLine({ found }: { readonly found: Found }) {
  const { type, model, language, supported, unsupported_reason: reason } = found;
  const { data: cards } = useModels();
  const { data: server } = useServer();
  const w = analysisWords.result;
  return (
    <p class={styles["model"]}>
      {language === undefined ? null : <span>{w.language(words.labels.language(language))}</span>}
      {supported === false ? <strong class={styles["warn"]}>{words.labels.notSupported(reason)}</strong> : null}
      {model === undefined ? null : <span title={w.model(model.id, model.version)}>{model.id}</span>}
      <ModelBadge
        analysis={type}
        card={cards?.find(({ analysis }) => analysis === type)}
        engine={server?.analyses.find((one) => one.type === type)?.engine}
      />
    </p>
  );
}
