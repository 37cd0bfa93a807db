import type { ContentResult } from "../../data/analyses.js";
import { Icon } from "../../parts/icon.js";
import { analysisWords } from "../../words/analyses.js";
import styles from "./analysis.module.css";
import { isGrave } from "./content-list.js";
import { FileResult } from "./file-result.js";
import { TextResult } from "./text-result.js";

export interface ContentViewProps {
  readonly id: number;
  readonly result: ContentResult;
  readonly isUtf16: boolean;
  readonly isExplained: boolean;
}

/** All that was found in one content, and what was not, and why. */
export function ContentView({ id, result, isUtf16, isExplained }: ContentViewProps) {
  const { type, content, analyses, index } = result;
  return (
    <div class={styles["stack"]}>
      <ContentProblem result={result} />
      {type === "text" ? (
        <TextResult
          id={id}
          number={index + 1}
          title={analysisWords.result.source("content")}
          text={String(content)}
          analyses={analyses}
          isUtf16={isUtf16}
          isExplained={isExplained}
        />
      ) : (
        <FileResult id={id} result={result} isUtf16={isUtf16} isExplained={isExplained} />
      )}
    </div>
  );
}

/** Why an analysis of a content has no result, its code, and what to do. */
function ContentProblem({ result: { error, error_code: code } }: { readonly result: ContentResult }) {
  if (error === undefined && code === undefined) return null;
  const w = analysisWords.result;
  const isBad = code === undefined || isGrave(code);
  return (
    <div class={isBad ? `${styles["problem"] ?? ""} ${styles["bad"] ?? ""}` : styles["problem"]} role="note">
      <div class={styles["row"]}>
        <Icon name="alert" />
        <strong>{code === "not_applicable" ? w.notApplicable : w.error}</strong>
        {code === undefined ? null : <code>{code}</code>}
      </div>
      <p>{error}</p>
      {code === undefined ? null : <p class="muted">{w.errorHelp(code)}</p>}
    </div>
  );
}
