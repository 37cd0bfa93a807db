import { useEffect, useRef, useState } from "preact/hooks";
import { LinkButton } from "../../parts/button.js";
import { Chip, Chips } from "../../parts/chip.js";
import { Select, TextField } from "../../parts/field.js";
import { useKeys } from "../../parts/keys.js";
import { useAddress } from "../../parts/navigation.js";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import styles from "./analyses.module.css";
import { filterText } from "./filter-text.js";
import { ANALYSES, FILTERS, STATUSES, TYPES, type ChosenFilter, type FilterName } from "./filters.js";

/** How long the address waits for the next letter. In milliseconds. */
const TYPING_MS = 300;

/** What the list is narrowed by; all of it stands in the address. */
export function AnalysisFilters({ filters }: { readonly filters: readonly ChosenFilter[] }) {
  const { hrefWith, go } = useAddress();
  const box = useRef<HTMLDetailsElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const w = analysisWords.list;
  const valueOf = (name: FilterName): string => filters.find((filter) => filter.name === name)?.value ?? "";
  const change = (name: FilterName, value: string): void => go(hrefWith({ [name]: value }), true);
  const [typed, setTyped] = useTyped(valueOf("q"), (text) => change("q", text));
  useKeys([
    { keys: "/", label: words.keys.search, run: () => search.current?.focus() },
    {
      keys: "f",
      label: w.focusFilters,
      run: () => {
        if (box.current === null) return;
        box.current.open = true;
        box.current.querySelector("select")?.focus();
      },
    },
  ]);
  const choice = (name: FilterName, values: readonly string[], label: string, say: (value: string) => string) => {
    const value = valueOf(name);
    // A value of the address that is not known stays as it is.
    const known = value === "" || values.includes(value) ? values : [...values, value];
    const options = known.map((one) => ({ value: one, label: say(one) }));
    return (
      <Select
        label={label}
        value={value}
        options={[{ value: "", label: w.any }, ...options]}
        onChange={(chosen) => change(name, chosen)}
      />
    );
  };
  return (
    <div class={styles["filters"]}>
      <div class={styles["search"]}>
        <TextField label={w.search} type="search" value={typed} onInput={setTyped} inputRef={search} />
      </div>
      <details ref={box} class={styles["more"]} open={filters.some(({ name }) => name !== "q")}>
        <summary>{w.filters}</summary>
        <div class={styles["fields"]}>
          {choice("type", TYPES, w.type, (value) => analysisWords.types[value] ?? value)}
          {choice("status", STATUSES, w.status, words.labels.state)}
          {choice("analysis", ANALYSES, w.analysis, words.labels.analysis)}
          <TextField label={w.from} type="date" value={valueOf("from")} onInput={(value) => change("from", value)} />
          <TextField label={w.to} type="date" value={valueOf("to")} onInput={(value) => change("to", value)} />
        </div>
      </details>
      {filters.length === 0 ? null : (
        <Chips>
          {filters.map((filter) => (
            <Chip
              key={filter.name}
              tone={filter.isUnknown ? "warn" : "plain"}
              removeHref={hrefWith({ [filter.name]: undefined })}
              removeLabel={w.without(filterText(filter))}
            >
              {filterText(filter)}
            </Chip>
          ))}
          <LinkButton
            kind="plain"
            isSmall
            href={hrefWith(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
          >
            {w.clear}
          </LinkButton>
        </Chips>
      )}
    </div>
  );
}

/** What is typed at once, and what `onPause` gets after a pause. A change from outside, such as Back, replaces it. */
function useTyped(value: string, onPause: (text: string) => void): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = typed;
      onPause(typed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped];
}
