import { mistakesIn } from "../../data/new-insight.js";
import { useServer } from "../../data/server.js";
import { Check, TextArea, TextField } from "../../parts/field.js";
import { words } from "../../words/new-insight.js";
import { quoted } from "../../words/quoted.js";
import { type Dimension, DIMENSIONS, type Draft } from "./draft.js";
import styles from "./new-insight.module.css";

/** What the server needs to analyze more than words. */
const NEEDED: Readonly<Record<Dimension, readonly string[]>> = {
  textual: [],
  visual: ["object-id", "face-id", "activity-id", "logo-id", "ffmpeg"],
  audial: ["speech", "ffmpeg"],
};

export interface DetailsProps {
  readonly draft: Draft;
  readonly error: unknown;
  /** What to know about the search as a whole. */
  readonly warnings: readonly string[];
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** What is analyzed, the place, and what people call the search. */
export function Details({ draft, error, warnings, onChange }: DetailsProps) {
  const w = words.newInsight;
  const messageOf = (field: string): string | undefined => mistakesIn(error, field)[0]?.message;
  const { dimensions } = draft;
  return (
    <div class={styles["details"]}>
      <fieldset class={styles["dimensions"]}>
        <legend class={styles["legend"]}>{w.analyze}</legend>
        {DIMENSIONS.map((dimension) => (
          <Check
            key={dimension}
            label={w.dimensions[dimension] ?? dimension}
            help={<Lacking dimension={dimension} />}
            checked={dimensions.includes(dimension)}
            onChange={(isChosen) =>
              onChange({
                dimensions: DIMENSIONS.filter((other) => (other === dimension ? isChosen : dimensions.includes(other))),
              })
            }
          />
        ))}
      </fieldset>
      <div class={styles["fields"]}>
        <TextField
          label={w.place}
          isOptional
          help={w.placeHelp}
          value={draft.location}
          onInput={(location) => onChange({ location })}
          error={messageOf("query.location")}
        />
        {warnings.length === 0 ? null : (
          <div class={styles["notes"]} role="status" aria-label={w.warnings}>
            {warnings.map((warning) => (
              <p key={warning} dir="auto">
                {quoted(warning)}
              </p>
            ))}
          </div>
        )}
        <TextField
          label={w.name}
          isOptional
          help={w.nameHelp}
          value={draft.name}
          onInput={(name) => onChange({ name })}
          error={messageOf("name")}
        />
        <TextArea
          label={w.note}
          isOptional
          rows={2}
          value={draft.note}
          onInput={(note) => onChange({ note })}
          error={messageOf("note")}
        />
      </div>
    </div>
  );
}

/** What this server lacks for a dimension, and what its operator can do. */
function Lacking({ dimension }: { readonly dimension: Dimension }) {
  const { data: server } = useServer();
  const lacking = (server?.analyses ?? []).filter(
    ({ type, state }) => state === "missing" && NEEDED[dimension].includes(type),
  );
  if (lacking.length === 0) return null;
  return (
    <>
      {lacking.map(({ type, reason, cure }) => (
        <span key={type} class={styles["lacking"]}>
          {words.newInsight.lacks(words.labels.analysis(type), [reason, cure].filter(Boolean).join(" "))}
        </span>
      ))}
    </>
  );
}
