import type { ComponentChildren, RefObject } from "preact";
import { useId } from "preact/hooks";
import { segmentsOf, type TextSpan } from "../marked-text/spans.js";
import { Button } from "../button.js";
import { words } from "../../words/new-insight.js";
import styles from "./query-editor.module.css";

/** A mistake in keywords: where it is, in UTF-16 units, `end` exclusive, if that is known. */
export interface Mistake {
  readonly message: string;
  readonly start?: number;
  readonly end?: number;
}

export interface QueryEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly mistakes: readonly Mistake[];
  readonly help: string;
  /** Beside the label, such as a button for help. */
  readonly beside?: ComponentChildren;
  readonly areaRef: RefObject<HTMLTextAreaElement | null>;
}

/** Far more than keywords may have: the field grows no further. In UTF-16 units. */
const MIRRORED_MAX = 5_000;

/** The field for keywords. It grows with them, and a mistake is underlined where it is. */
export function QueryEditor({ label, value, onInput, mistakes, help, beside, areaRef }: QueryEditorProps) {
  const id = useId();
  const mirrored = value.slice(0, MIRRORED_MAX);
  const places = mistakes.flatMap((mistake) => placeOf(value, mistake) ?? []);
  return (
    <div class={styles["editor"]}>
      <div class={styles["head"]}>
        <label class={styles["label"]} for={id}>
          {label}
        </label>
        {beside}
      </div>
      <div class={styles["field"]}>
        {/* Behind the field, with the same letters: what is underlined here is seen through it. */}
        <div class={styles["mirror"]} aria-hidden="true" dir="auto">
          {segmentsOf(
            mirrored,
            places.filter(({ end }) => end <= mirrored.length),
          ).map(({ start, text, spans }) =>
            spans.length === 0 ? (
              text
            ) : (
              <span key={start} class={styles["wrong"]}>
                {text}
              </span>
            ),
          )}
          {"\u200b"}
        </div>
        <textarea
          ref={areaRef}
          id={id}
          class={styles["area"]}
          rows={1}
          value={value}
          spellcheck={false}
          autoComplete="off"
          autoCapitalize="off"
          dir="auto"
          aria-invalid={mistakes.length === 0 ? undefined : "true"}
          aria-describedby={`${id}-mistake ${id}-help`}
          onKeyDown={(event) => {
            // Keywords stand on one line.
            if (event.key === "Enter" && !event.isComposing) event.preventDefault();
          }}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </div>
      <div id={`${id}-mistake`} class={styles["mistake"]} role="status">
        {mistakes.map((mistake) => {
          const place = placeOf(value, mistake);
          return (
            <div key={`${mistake.start ?? ""} ${mistake.message}`}>
              {mistake.message}
              {place === undefined ? null : (
                <Button
                  kind="plain"
                  isSmall
                  onClick={() => {
                    areaRef.current?.focus();
                    areaRef.current?.setSelectionRange(place.start, place.end);
                  }}
                >
                  {words.newInsight.goToMistake}
                </Button>
              )}
            </div>
          );
        })}
      </div>
      <div id={`${id}-help`} class={styles["help"]}>
        {help}
      </div>
    </div>
  );
}

/** Where a mistake is; where something is missing, the character before it. */
function placeOf(value: string, { start, end }: Mistake): TextSpan | undefined {
  if (start === undefined || end === undefined || value === "") return undefined;
  const from = Math.min(start, value.length - 1);
  return { start: from, end: Math.max(from + 1, Math.min(end, value.length)) };
}
