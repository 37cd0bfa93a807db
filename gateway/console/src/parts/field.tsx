import type { ComponentChildren, RefObject } from "preact";
import { useId } from "preact/hooks";
import { words } from "../words/words.js";
import styles from "./field.module.css";

interface FieldProps {
  readonly label: string;
  readonly help?: ComponentChildren;
  /** What is wrong with the value, and how to mend it. */
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
}

export interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "email" | "password" | "search" | "date" | "number" | "url";
  readonly name?: string;
  readonly autoComplete?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly inputRef?: RefObject<HTMLInputElement | null>;
}

/** A field of one line, with its label, help and error. */
export function TextField(props: TextFieldProps) {
  const {
    value,
    onInput,
    type = "text",
    name,
    autoComplete,
    placeholder,
    required,
    maxLength,
    inputRef,
    error,
  } = props;
  const id = useId();
  // The types of Preact have one element for each type of a field; this is any of them.
  const shown = type as "text";
  return (
    <Around {...props} id={id}>
      <input
        {...(inputRef === undefined ? {} : { ref: inputRef })}
        id={id}
        class={styles["input"]}
        type={shown}
        name={name}
        value={value}
        autoComplete={autoComplete ?? "off"}
        placeholder={placeholder}
        required={required}
        maxLength={maxLength}
        spellcheck={type === "text"}
        aria-invalid={error === undefined ? undefined : "true"}
        aria-describedby={`${id}-help ${id}-error`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Around>
  );
}

export interface TextAreaProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly onPaste?: (event: ClipboardEvent) => void;
  readonly areaRef?: RefObject<HTMLTextAreaElement | null>;
}

/** A field of several lines. */
export function TextArea(props: TextAreaProps) {
  const { value, onInput, rows, placeholder, onPaste, areaRef, error } = props;
  const id = useId();
  return (
    <Around {...props} id={id}>
      <textarea
        {...(areaRef === undefined ? {} : { ref: areaRef })}
        id={id}
        class={styles["input"]}
        value={value}
        rows={rows}
        placeholder={placeholder}
        aria-invalid={error === undefined ? undefined : "true"}
        aria-describedby={`${id}-help ${id}-error`}
        onPaste={onPaste}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Around>
  );
}

export interface SelectProps<V extends string> extends FieldProps {
  readonly value: V;
  readonly options: readonly { readonly value: V; readonly label: string }[];
  readonly onChange: (value: V) => void;
}

/** One of a few values. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { value, options, onChange } = props;
  const id = useId();
  return (
    <Around {...props} id={id}>
      <select
        id={id}
        class={styles["input"]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value as V)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Around>
  );
}

export interface CheckProps {
  readonly label: ComponentChildren;
  readonly help?: ComponentChildren;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

/** A box to tick. */
export function Check({ label, help, checked, onChange, disabled }: CheckProps) {
  const id = useId();
  return (
    <div class={styles["check"]}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {help === undefined ? null : (
          <div id={`${id}-help`} class={styles["help"]}>
            {help}
          </div>
        )}
      </div>
    </div>
  );
}

function Around({
  id,
  label,
  help,
  error,
  isOptional = false,
  children,
}: FieldProps & { id: string; children: ComponentChildren }) {
  return (
    <div class={styles["field"]}>
      <label class={styles["label"]} for={id}>
        {label}
        {isOptional ? <span class="muted"> ({words.frame.optional})</span> : null}
      </label>
      {children}
      <div id={`${id}-error`} class={styles["error"]} role={error === undefined ? undefined : "alert"}>
        {error}
      </div>
      {help === undefined ? null : (
        <div id={`${id}-help`} class={styles["help"]}>
          {help}
        </div>
      )}
    </div>
  );
}
