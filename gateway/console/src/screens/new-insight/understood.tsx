import type { Checked, InsightCheck } from "../../data/new-insight.js";
import { words } from "../../words/new-insight.js";
import { quoted } from "../../words/quoted.js";
import styles from "./new-insight.module.css";

/** How the server reads the keywords. The last good reading stays beside a mistake. */
export function Understood({ checked, isEmpty }: { readonly checked: Checked; readonly isEmpty: boolean }) {
  const w = words.newInsight;
  const { plan, error, isCurrent } = checked;
  const isMistake = error !== null && !isCurrent;
  return (
    <section class={styles["understood"]} aria-label={w.understood}>
      <h2>
        {w.understood}
        {plan !== undefined && !isCurrent && !isMistake ? <span class="muted small"> {w.checking}</span> : null}
      </h2>
      {isEmpty || plan === undefined ? (
        <p class="muted">{w.understoodNothing}</p>
      ) : (
        <div class={isMistake ? "muted" : undefined} aria-live="polite">
          {isMistake ? <p>{w.understoodOlder}</p> : null}
          <ul class={styles["terms"]}>
            {sentencesOf(plan).map((sentence) => (
              <li key={sentence} dir="auto">
                {quoted(sentence)}
              </li>
            ))}
          </ul>
          <p class="muted small">{w.terms(plan.terms.length)}</p>
        </div>
      )}
    </section>
  );
}

/** How each term is read. */
function sentencesOf({ parsed }: InsightCheck): readonly string[] {
  return parsed.terms.map(({ sentence }) => sentence);
}
