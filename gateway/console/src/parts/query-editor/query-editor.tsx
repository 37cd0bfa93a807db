import type { ComponentChildren, RefObject } from "preact";
import { useId } from "preact/hooks";
import { fromCodePoints } from "../marked-text/spans.js";
import { Button } from "../button.js";
import { words } from "../../words/new-insight.js";
import styles from "./query-editor.module.css";

/** A mistake in keywords: where it is, in code points from 0, `end` exclusive, if that is known. */
export interface Mistake {
  readonly message: string;
  readonly start?: number;
  readonly end?: number;
}

export interface QueryEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly mistake: Mistake | undefined;
  readonly help: string;
  /** Beside the label, such as a button for help. */
  readonly beside?: ComponentChildren;
  readonly areaRef: RefObject<HTMLTextAreaElement | null>;
}

/** The field for keywords. It grows with them, and a mistake is underlined where it is. */
export function QueryEditor({ label, value, onInput, mistake, help, beside, areaRef }: QueryEditorProps) {
  const id = useId();
  const place = placeOf(value, mistake);
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
          {place === undefined ? (
            value
          ) : (
            <>
              {value.slice(0, place.start)}
              <span class={styles["wrong"]}>{value.slice(place.start, place.end)}</span>
              {value.slice(place.end)}
            </>
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
          aria-invalid={mistake === undefined ? undefined : "true"}
          aria-describedby={`${id}-mistake ${id}-help`}
          onKeyDown={(event) => {
            // Keywords stand on one line.
            if (event.key === "Enter" && !event.isComposing) event.preventDefault();
          }}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </div>
      <div id={`${id}-mistake`} class={styles["mistake"]} role="status">
        {mistake === undefined ? null : (
          <>
            <span>{mistake.message}</span>
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
          </>
        )}
      </div>
      <div id={`${id}-help`} class={styles["help"]}>
        {help}
      </div>
    </div>
  );
}

/** Where the mistake is, in UTF-16 units; at least one character, or the last one. */
function placeOf(
  value: string,
  mistake: Mistake | undefined,
): { readonly start: number; readonly end: number } | undefined {
  const { start, end } = mistake ?? {};
  if (start === undefined || value === "") return undefined;
  const [place] = fromCodePoints(value, [{ start, end: Math.max(end ?? 0, start + 1) }]);
  if (place === undefined) return undefined;
  return place.start >= value.length ? { start: value.length - 1, end: value.length } : place;
}
