import { useEffect, useRef, useState } from "preact/hooks";
import { Form } from "../../parts/form.js";
import {
  addressOf,
  cleared,
  entriesOf,
  readFilters,
  withPeriod,
  withSingle,
  type ListFilter,
} from "../../data/filters.js";
import { fieldError } from "../../data/failure.js";
import type { Interval, Period } from "../../data/periods.js";
import { words } from "../../words/words.js";
import { Button, LinkButton } from "../button.js";
import { Chip, Chips } from "../chip.js";
import { CopyButton } from "../copy-button.js";
import { useKeys } from "../keys.js";
import { useAddress } from "../navigation.js";
import type { FilterDialog } from "./filter-dialog.js";
import styles from "./filter-bar.module.css";
import { PeriodPicker } from "./period-picker.js";
import { toast } from "../toasts.js";

export interface FilterBarProps {
  readonly period: Period;
  /** Length of the steps of what is shown; not given: nothing is shown in steps. */
  readonly interval?: Interval;
  /** Platforms of the insight. */
  readonly platforms: readonly string[];
  /** Values that postings of the period have, the most frequent first: what there is to choose from. */
  readonly seen?: Readonly<Partial<Record<ListFilter, readonly string[]>>>;
  /** How many postings are hidden as spam, where that is known. */
  readonly hidden?: number | undefined;
  /** Why the server refused the filters: said where they are. */
  readonly error?: unknown;
}

/** What is looked at: period, words and filters, all of them in the address. */
export function FilterBar({ period, interval, platforms, seen = {}, hidden, error }: FilterBarProps) {
  const { path, parameters } = useAddress();
  const [opened, setOpened] = useState<{ readonly Content: typeof FilterDialog }>();
  const open = async (): Promise<void> => {
    // Most of the time it stays closed: it is loaded when it is opened.
    try {
      setOpened({ Content: (await import("./filter-dialog.js")).FilterDialog });
    } catch {
      toast(words.frame.notLoaded, { isProblem: true });
    }
  };
  useKeys([{ keys: "f", label: words.filters.open, run: () => void open() }]);
  const entries = entriesOf(parameters);
  const problem = fieldError(error, "q");
  // Another day, the usual period is another one: a link names its days.
  const link = new URL(addressOf(path, withPeriod(parameters, period)), location.origin).href;
  return (
    <section class={styles["bar"]} aria-label={words.filters.bar}>
      <div class={styles["row"]}>
        <PeriodPicker period={period} {...(interval === undefined ? {} : { interval })} />
        <WordsField isWrong={problem !== undefined} />
        <Button onClick={open} label={words.filters.open} shortcut="f">
          {words.filters.open}
        </Button>
        <span class={styles["end"]}>
          <CopyButton text={link} label={words.filters.copyLink} />
        </span>
      </div>
      {problem === undefined ? null : (
        <p role="alert" class={styles["error"]}>
          {problem}
        </p>
      )}
      {entries.length === 0 ? null : (
        <div class={styles["row"]} role="group" aria-label={words.filters.active}>
          <Chips>
            {entries.map(({ name, value, isKnown, without }) => {
              const text = isKnown ? words.filters.chip(name, value, hidden) : words.filters.notKnown(name, value);
              return (
                <Chip
                  key={`${name}=${value}`}
                  tone={isKnown ? "plain" : "warn"}
                  removeHref={addressOf(path, without)}
                  removeLabel={words.filters.removeFilter(text)}
                  {...(isKnown ? {} : { title: words.filters.notKnownHelp })}
                >
                  <bdi>{text}</bdi>
                </Chip>
              );
            })}
          </Chips>
          <LinkButton kind="plain" isSmall href={addressOf(path, cleared(parameters))} label={words.filters.clearHelp}>
            {words.filters.clear}
          </LinkButton>
        </div>
      )}
      {opened === undefined ? null : (
        <opened.Content platforms={platforms} seen={seen} onClose={() => setOpened(undefined)} />
      )}
    </section>
  );
}

/** The field for words. Enter looks for them, Escape brings back what was looked for. */
function WordsField({ isWrong }: { readonly isWrong: boolean }) {
  const { path, parameters, go } = useAddress();
  const { q = "" } = readFilters(parameters);
  const [text, setText] = useState(q);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setText(q), [q]);
  useKeys([{ keys: "/", label: words.keys.search, run: () => field.current?.focus() }]);
  return (
    <Form
      class={styles["words"]}
      isSearch
      onSubmit={() => {
        // Single keys act again.
        field.current?.blur();
        go(addressOf(path, withSingle(parameters, "q", text.trim())));
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label={words.filters.words}
        title={`${words.filters.wordsHelp} (/)`}
        placeholder={words.filters.words}
        value={text}
        maxLength={1_000}
        autoComplete="off"
        aria-invalid={isWrong ? "true" : undefined}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          setText(q);
          field.current?.blur();
        }}
      />
    </Form>
  );
}
