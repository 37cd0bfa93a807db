import type { QueryObserverResult } from "@tanstack/query-core";
import { useState } from "preact/hooks";
import { UNSURE_BELOW } from "../../data/hourglass.js";
import type { Analysis, SinglePosting } from "../../data/postings.js";
import { labelsOf, type Posting } from "../../data/posting-view.js";
import { Button } from "../../parts/button.js";
import { LabelBars, type LabelTone } from "../../parts/label-bars.js";
import { Load } from "../../parts/states.js";
import { probability } from "../../words/numbers.js";
import { words } from "../../words/postings.js";
import { explainedOf, nameOfLabel } from "./marks.js";
import styles from "./postings.module.css";

/** Of many labels, the likeliest are shown at first. */
const LABELS_SHOWN = 6;
const TONES: Readonly<Record<string, LabelTone>> = { positive: "positive", negative: "negative", neutral: "neutral" };

export interface WhyProps {
  readonly query: QueryObserverResult<SinglePosting>;
  readonly posting: Posting;
  /** The analysis whose words are marked in the text. */
  readonly analysis: string;
  readonly onAnalysis: (type: string) => void;
}

/** What the present models say of a posting, and by which words. */
export function Why({ query, posting, analysis, onAnalysis }: WhyProps) {
  const w = words.postings;
  return (
    <section class={styles["why"]} aria-label={w.whyTitle}>
      <p class="muted small">{w.whyIntro}</p>
      <Load query={query} height="14rem" doing={w.whySlow}>
        {({ analyses = [] }) => {
          const explained = analyses.filter((one) => one.type === "topic" || explainedOf(one) !== undefined);
          const shown = explained.find(({ type }) => type === analysis) ?? explained[0];
          if (shown === undefined) return <p>{w.whyNothing}</p>;
          return (
            <>
              <div class={styles["row"]} role="group" aria-label={w.whyWhich}>
                {explained.map(({ type }) => (
                  <Button key={type} isSmall pressed={type === shown.type} onClick={() => onAnalysis(type)}>
                    {words.labels.analysis(type)}
                  </Button>
                ))}
              </div>
              <Explanation analysis={shown} posting={posting} />
            </>
          );
        }}
      </Load>
    </section>
  );
}

function Explanation({ analysis, posting }: { readonly analysis: Analysis; readonly posting: Posting }) {
  const w = words.postings;
  const { type, model, language, supported, unsupported_reason: reason } = analysis;
  return (
    <>
      {analysis.type === "topic" ? <p>{w.topicsMarked(analysis.data.length)}</p> : null}
      <Bars analysis={analysis} />
      <Changed analysis={analysis} posting={posting} />
      <p class="small">
        {language === undefined ? null : `${w.language}: ${words.labels.language(language)}. `}
        {supported === false ? `${words.labels.notSupported(reason)} ` : null}
        {model === undefined ? null : (
          <span class="muted">
            {w.model(model.id, model.version)} <a href={`/settings/models#${type}`}>{w.modelCard}</a>
          </span>
        )}
      </p>
    </>
  );
}

function Bars({ analysis }: { readonly analysis: Analysis }) {
  const [isAll, setAll] = useState(false);
  const explained = explainedOf(analysis);
  if (explained?.explanation === undefined) return null;
  const { value, prob, explanation } = explained;
  const sorted = Object.entries(explanation.probabilities).sort(([, a], [, b]) => b - a);
  const shown = isAll ? sorted : sorted.slice(0, LABELS_SHOWN);
  const w = words.postings;
  return (
    <>
      <p class="small">{explanation.spans.length === 0 ? w.noSpans : w.spansMarked}</p>
      <LabelBars
        label={words.labels.analysis(analysis.type)}
        chosen={value}
        isUnsure={analysis.type === "sentiment-real" && prob < UNSURE_BELOW}
        bars={shown.map(([label, share]) => ({
          value: label,
          label: nameOfLabel(analysis.type, label),
          probability: share,
          tone: analysis.type === "sentiment-simple" ? (TONES[label] ?? "usual") : "usual",
        }))}
      />
      {sorted.length > shown.length ? (
        <div>
          <Button kind="plain" isSmall onClick={() => setAll(true)}>
            {w.allLabels(sorted.length)}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** The stored label may be that of an older model. */
function Changed({ analysis, posting }: { readonly analysis: Analysis; readonly posting: Posting }) {
  const now = explainedOf(analysis);
  const { polarity, emotion, intention } = labelsOf(posting);
  const stored = { "sentiment-simple": polarity, "sentiment-real": emotion, intention }[analysis.type as string];
  if (now === undefined || stored === undefined || stored.value === now.value) return null;
  const name = (value: string): string => nameOfLabel(analysis.type, value);
  return (
    <p class={styles["changed"]}>
      {words.postings.changed(
        `${name(stored.value)}${stored.prob === undefined ? "" : ` ${probability(stored.prob)}`}`,
        `${name(now.value)} ${probability(now.prob)}`,
      )}
    </p>
  );
}
