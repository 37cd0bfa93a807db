import { useMemo } from "preact/hooks";
import type { Found } from "../../data/analyses.js";
import type { LabelingAnalysis, MEDIA_ANALYSES } from "../../data/analysis-types.js";
import { LinkButton } from "../../parts/button.js";
import { MarkedText } from "../../parts/marked-text/marked-text.js";
import { useAddress } from "../../parts/navigation.js";
import { useKeys } from "../../parts/keys.js";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import styles from "./analysis.module.css";
import { classified, marksOf } from "./findings.js";
import { LabelFigure } from "./label-figure.js";
import { PersonalityFigure, TopicsFigure } from "./other-figures.js";

export interface TextResultProps {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly text: string;
  /** What was found in this text. */
  readonly analyses: readonly Found[];
  readonly isUtf16: boolean;
  /** Whether reasons were asked for. */
  readonly isExplained: boolean;
}

/** A text with the words that decided marked, and its labels. `?why=` says for which analysis. */
export function TextResult({ id, number, title, text, analyses, isUtf16, isExplained }: TextResultProps) {
  const { parameters, hrefWith, go } = useAddress();
  const w = analysisWords.result;
  const marked = useMemo(
    () =>
      analyses
        .map((found) => ({ type: found.type, marks: marksOf(found, text, isUtf16) }))
        .filter(({ marks }) => marks.length > 0),
    [analyses, text, isUtf16],
  );
  const wanted = parameters.get("why") ?? marked[0]?.type;
  const shown = marked.find(({ type }) => type === wanted);
  const next = marked[(marked.findIndex(({ type }) => type === wanted) + 1) % Math.max(1, marked.length)];
  useKeys([
    { keys: "w", label: w.why, run: () => (next === undefined ? undefined : go(hrefWith({ why: next.type }), true)) },
  ]);
  const file = `analysis-${id}-${number}`;
  return (
    <div class={styles["stack"]}>
      <div class={styles["text"]}>
        <h2>{title}</h2>
        {marked.length === 0 ? null : (
          <nav class={styles["marks"]} aria-label={w.markedFor}>
            <span class="small muted">{w.markedFor}</span>
            {[...marked.map(({ type }) => type), "none"].map((type) => (
              <a
                key={type}
                class={styles["choice"]}
                href={hrefWith({ why: type })}
                aria-current={type === wanted || (type === "none" && shown === undefined) ? "true" : undefined}
                title="w"
              >
                {type === "none" ? w.markNone : words.labels.analysis(type)}
              </a>
            ))}
          </nav>
        )}
        <div class={styles["reading"]} tabIndex={0} role="region" aria-label={title}>
          <MarkedText text={text} marks={shown?.marks ?? []} />
        </div>
        {isExplained ? null : (
          <p class="small muted">
            {w.noExplanation}{" "}
            <LinkButton isSmall href={`/analyses/new?from=${id}`}>
              {w.withExplanation}
            </LinkButton>
          </p>
        )}
      </div>
      <div class={styles["figures"]}>
        {analyses.map((found) => (
          <TextFigure key={`${found.type} ${found.source}`} found={found} file={file} />
        ))}
      </div>
    </div>
  );
}

/** What one analysis says of a text. A kind of a newer release is shown as it came. */
export function TextFigure({ found, file }: { readonly found: Found; readonly file: string }) {
  const result = classified(found);
  if (result !== undefined) return <LabelFigure found={found} result={result} file={file} />;
  switch (found.type) {
    case "topic":
      return <TopicsFigure found={found} file={file} />;
    case "personality-mb":
      return <PersonalityFigure found={found} file={file} />;
    default:
      found.type satisfies LabelingAnalysis | (typeof MEDIA_ANALYSES)[number];
      return (
        <section class={styles["unknown"]} aria-label={found.type}>
          <h2>{words.labels.analysis(found.type)}</h2>
          <p class="small muted">{analysisWords.result.unknownForm}</p>
          <pre tabIndex={0}>{JSON.stringify(found.data, undefined, 2)}</pre>
        </section>
      );
  }
}
