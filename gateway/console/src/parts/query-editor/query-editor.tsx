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

/** What is read otherwise than it may be meant, and the whole text without it. */
export interface Advice extends Mistake {
  readonly fix?: string | undefined;
}

export interface QueryEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly mistakes: readonly Mistake[];
  /** Shown where there is no mistake. */
  readonly advice: readonly Advice[];
  readonly help: string;
  /** Beside the label, such as a button for help. */
  readonly beside?: ComponentChildren;
  readonly areaRef: RefObject<HTMLTextAreaElement | null>;
}

/** Far more than keywords may have: the field grows no further. In UTF-16 units. */
const MIRRORED_MAX = 5_000;

/** The field for keywords. It grows with them, and a mistake is underlined where it is. */
export function QueryEditor({ label, value, onInput, mistakes, advice, help, beside, areaRef }: QueryEditorProps) {
  const id = useId();
  const mirrored = value.slice(0, MIRRORED_MAX);
  const notes: readonly Advice[] = mistakes.length > 0 ? mistakes : advice;
  const marked = mistakes.length > 0 ? styles["wrong"] : styles["doubtful"];
  const places = notes.flatMap((note) => placeOf(value, note) ?? []);
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
              <span key={start} class={marked}>
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
      <div
        id={`${id}-mistake`}
        class={mistakes.length > 0 ? styles["mistake"] : styles["advice"]}
        role="status"
        dir="auto"
      >
        {notes.map((note) => {
          const place = placeOf(value, note);
          return (
            <div key={`${note.start ?? ""} ${note.message}`}>
              {note.message}
              {note.fix === undefined ? null : <Fix fix={note.fix} onFix={onInput} areaRef={areaRef} />}
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

interface FixProps extends Pick<QueryEditorProps, "areaRef"> {
  readonly fix: string;
  readonly onFix: (fix: string) => void;
}

function Fix({ fix, onFix, areaRef }: FixProps) {
  return (
    <Button
      kind="plain"
      isSmall
      hint={words.newInsight.fixTo(fix)}
      onClick={() => {
        onFix(fix);
        areaRef.current?.focus();
      }}
    >
      {words.newInsight.fix}
    </Button>
  );
}

/** Where a mistake is; where something is missing, the character before it. */
function placeOf(value: string, { start, end }: Mistake): TextSpan | undefined {
  if (start === undefined || end === undefined || value === "") return undefined;
  const from = Math.min(start, value.length - 1);
  return { start: from, end: Math.max(from + 1, Math.min(end, value.length)) };
}
