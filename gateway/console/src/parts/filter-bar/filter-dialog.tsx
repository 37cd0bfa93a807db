import type { ComponentChildren } from "preact";
import { Form } from "../../parts/form.js";
import { useState } from "preact/hooks";
import {
  addressOf,
  CHOICES,
  readFilters,
  withSingle,
  withValues,
  type ListFilter,
  type SpamChoice,
} from "../../data/filters.js";
import { words } from "../../words/words.js";
import { Button } from "../button.js";
import { Dialog } from "../dialog.js";
import { Check, Select, TextField } from "../field.js";
import { useAddress } from "../navigation.js";
import styles from "./filter-bar.module.css";

export interface FilterDialogProps {
  readonly platforms: readonly string[];
  readonly seen: Readonly<Partial<Record<ListFilter, readonly string[]>>>;
  readonly onClose: () => void;
}

/** So many values of a kind are offered: those that most postings have. */
const OFFERED_MAX = 8;
/** Kinds that may have any value: one can be typed. */
const TYPED = ["language", "country", "type", "author", "topic", "tag", "domain", "label"] as const;
type Typed = (typeof TYPED)[number];

/** All filters in one place; they take effect together. */
export function FilterDialog({ platforms, seen, onClose }: FilterDialogProps) {
  const { path, parameters, go } = useAddress();
  const [chosen, setChosen] = useState(parameters);
  const [typed, setTyped] = useState<Readonly<Partial<Record<Typed, string>>>>({});
  const { lists, spam } = readFilters(chosen);
  const apply = (): void => {
    let wanted = chosen;
    for (const name of TYPED) {
      const value = typed[name]?.trim() ?? "";
      if (value !== "") wanted = withValues(wanted, name, [...(readFilters(wanted).lists[name] ?? []), value]);
    }
    onClose();
    go(addressOf(path, wanted));
  };
  const group = (name: ListFilter, values: readonly string[], end?: ComponentChildren) => (
    <Choices
      key={name}
      name={name}
      values={values}
      chosen={lists[name] ?? []}
      onChange={(now) => setChosen(withValues(chosen, name, now))}
    >
      {end}
    </Choices>
  );
  return (
    <Dialog
      title={words.filters.title}
      onClose={onClose}
      isWide
      actions={
        <>
          <Button onClick={onClose}>{words.frame.cancel}</Button>
          <Button kind="primary" onClick={apply}>
            {words.filters.apply}
          </Button>
        </>
      }
    >
      <Form class={styles["form"]} onSubmit={() => apply()}>
        <p class="muted small">{words.filters.rule}</p>
        <div class={styles["groups"]}>
          {group("platform", platforms)}
          {group("polarity", CHOICES.polarity)}
          {group("intention", CHOICES.intention)}
        </div>
        {group("emotion", CHOICES.emotion)}
        <div class={styles["groups"]}>
          <Select
            label={words.filters.spam}
            value={spam ?? "all"}
            options={(["all", "hide", "only"] as const).map((value) => ({
              value,
              label: words.filters.spamChoices[value],
            }))}
            onChange={(value: SpamChoice | "all") =>
              setChosen(withSingle(chosen, "spam", value === "all" ? undefined : value))
            }
          />
          {TYPED.map((name) =>
            group(
              name,
              (seen[name] ?? []).slice(0, OFFERED_MAX),
              <TextField
                label={words.filters.other(name)}
                help={words.filters.otherHelp[name]}
                value={typed[name] ?? ""}
                onInput={(value) => setTyped({ ...typed, [name]: value })}
              />,
            ),
          )}
        </div>
        {/* Enter in a field applies. */}
        <button type="submit" hidden />
      </Form>
    </Dialog>
  );
}

interface ChoicesProps {
  readonly name: ListFilter;
  readonly values: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly children?: ComponentChildren;
}

function Choices({ name, values, chosen, onChange, children }: ChoicesProps) {
  // What is chosen stays to be taken back, also if nothing has it now.
  const offered = [...values, ...chosen.filter((value) => !values.includes(value))];
  return (
    <fieldset class={name === "emotion" ? styles["emotions"] : styles["group"]}>
      <legend>{words.filters.kind(name)}</legend>
      {offered.map((value) => (
        <Check
          key={value}
          label={<bdi>{words.filters.value(name, value)}</bdi>}
          checked={chosen.includes(value)}
          onChange={(isChosen) => onChange(isChosen ? [...chosen, value] : chosen.filter((other) => other !== value))}
        />
      ))}
      {children}
    </fieldset>
  );
}
