import { useState } from "preact/hooks";
import { serverNow } from "../../data/clock.js";
import { Form } from "../../parts/form.js";
import { addressOf, withPeriod, withSingle } from "../../data/filters.js";
import {
  dayOf,
  hasLater,
  intervalsFor,
  moved,
  presetOf,
  presets,
  spanOf,
  type Interval,
  type Period,
  type PresetName,
} from "../../data/periods.js";
import { period as periodText } from "../../words/times.js";
import { words } from "../../words/words.js";
import { Button, LinkButton } from "../button.js";
import { TextField } from "../field.js";
import { useKeys } from "../keys.js";
import { useAddress } from "../navigation.js";
import { Popover } from "../popover.js";
import styles from "./filter-bar.module.css";

export interface PeriodPickerProps {
  readonly period: Period;
  /** Length of the steps of what is shown; not given: nothing is shown in steps. */
  readonly interval?: Interval;
}

/** Which days are shown, earlier and later ones, and in which steps. */
export function PeriodPicker({ period, interval }: PeriodPickerProps) {
  const { path, parameters, go } = useAddress();
  const now = serverNow();
  const { start, end } = spanOf(period);
  const isLast = !hasLater(period, now);
  const hrefOf = (other: Period): string => addressOf(path, withPeriod(parameters, other));
  const earlier = hrefOf(moved(period, -1));
  const later = hrefOf(moved(period, 1));
  useKeys([
    { keys: "[", label: words.filters.earlier, run: () => go(earlier) },
    { keys: "]", label: words.filters.later, run: () => (isLast ? undefined : go(later)) },
  ]);
  return (
    <div class={styles["period"]}>
      <div class={styles["ends"]}>
        <LinkButton href={earlier} icon="previous" label={words.filters.earlier} shortcut="[" />
        <Popover label={words.filters.choosePeriod} text={words.filters.period(periodText(start, end))}>
          {(close) => <Choice period={period} hrefOf={hrefOf} onDone={close} />}
        </Popover>
        {isLast ? (
          <Button icon="next" label={words.filters.later} disabled reason={words.filters.noLater} />
        ) : (
          <LinkButton href={later} icon="next" label={words.filters.later} shortcut="]" />
        )}
      </div>
      {interval === undefined ? null : (
        <nav class={styles["steps"]} aria-label={words.filters.intervalOf}>
          {intervalsFor(period).map((each) => (
            <a
              key={each}
              href={addressOf(path, withSingle(parameters, "interval", each))}
              aria-current={each === interval ? "true" : undefined}
            >
              {words.filters.intervals[each]}
            </a>
          ))}
        </nav>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly period: Period;
  readonly hrefOf: (period: Period) => string;
  readonly onDone: () => void;
}

function Choice({ period, hrefOf, onDone }: ChoiceProps) {
  const { go } = useAddress();
  const now = serverNow();
  const current = presetOf(period, now);
  const span = spanOf(period);
  const days = { from: dayOf(span.start), to: dayOf(span.end - 1) };
  const [typed, setTyped] = useState<Partial<Period>>({});
  const { from, to } = { ...days, ...typed };
  const isRight = from !== "" && to !== "" && from <= to;
  const names = Object.entries(presets(now)) as [PresetName, Period][];
  return (
    <>
      <ul class={styles["presets"]}>
        {names.map(([name, preset]) => (
          <li key={name}>
            <a href={hrefOf(preset)} aria-current={name === current ? "true" : undefined} onClick={onDone}>
              {words.filters.presets[name]}
            </a>
          </li>
        ))}
      </ul>
      <Form
        class={styles["days"]}
        onSubmit={() => {
          if (!isRight) return;
          onDone();
          setTyped({});
          go(hrefOf({ from, to }));
        }}
      >
        <TextField
          label={words.filters.from}
          type="date"
          value={from}
          onInput={(value) => setTyped({ ...typed, from: value })}
        />
        <TextField
          label={words.filters.to}
          type="date"
          value={to}
          onInput={(value) => setTyped({ ...typed, to: value })}
          error={isRight ? undefined : words.filters.order}
        />
        <p class="muted small">{words.filters.daysHelp}</p>
        <Button type="submit" kind="primary">
          {words.filters.showPeriod}
        </Button>
      </Form>
    </>
  );
}
