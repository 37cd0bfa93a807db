import styles from "./small-multiples.module.css";

export interface MultipleSeries {
  /** Class of its color. */
  readonly tone: "positive-strong" | "positive-mild" | "negative-strong" | "negative-mild" | "accent";
  /** For each step; null: not known, which leaves a gap. */
  readonly values: readonly (number | null)[];
}

export interface Multiple {
  readonly key: string;
  readonly label: string;
  /** Beside the label: its sum. */
  readonly text: string;
  readonly href?: string | undefined;
  /** Stacked upwards, the first one at the line. */
  readonly up: readonly MultipleSeries[];
  /** Stacked downwards. */
  readonly down?: readonly MultipleSeries[];
}

export interface SmallMultiplesProps {
  readonly label: string;
  readonly multiples: readonly Multiple[];
  /** At both ends of the time. */
  readonly ends: readonly [string, string];
  /** What the largest value is, in words: all have one scale. */
  readonly scale: string;
  /** Those that have two directions need more room. */
  readonly isTall?: boolean;
}

const HEIGHT = 40;

/** The same picture several times, on one scale, so that they can be compared. */
export function SmallMultiples({ label, multiples, ends, scale, isTall = false }: SmallMultiplesProps) {
  const most = (stacks: (multiple: Multiple) => readonly MultipleSeries[]): number =>
    Math.max(0, ...multiples.map((multiple) => tallest(stacks(multiple))));
  const up = most(({ up }) => up);
  const down = most(({ down = [] }) => down);
  const whole = Math.max(1, up + down);
  const line = (up / whole) * HEIGHT;
  return (
    <div>
      <ul class={styles["list"]} aria-label={label}>
        {multiples.map(({ key, label: name, text, href, up: above, down: below = [] }) => {
          const steps = above[0]?.values.length ?? 0;
          return (
            <li key={key} class={styles["row"]}>
              <span class={styles["name"]}>
                {href === undefined ? <span>{name}</span> : <a href={href}>{name}</a>}
                <span class="muted number">{text}</span>
              </span>
              <svg
                class={isTall ? `${styles["picture"] ?? ""} ${styles["tall"] ?? ""}` : styles["picture"]}
                viewBox={`0 0 ${Math.max(1, steps)} ${HEIGHT}`}
                preserveAspectRatio="none"
                aria-hidden="true"
                focusable="false"
              >
                {paths(above, line, -HEIGHT / whole)}
                {paths(below, line, HEIGHT / whole)}
                <path class={styles["line"]} d={`M0 ${line}H${steps}`} />
              </svg>
            </li>
          );
        })}
      </ul>
      <div class={styles["ends"]}>
        <span>{ends[0]}</span>
        <span>{scale}</span>
        <span>{ends[1]}</span>
      </div>
    </div>
  );
}

function tallest(stack: readonly MultipleSeries[]): number {
  const steps = stack[0]?.values.length ?? 0;
  let most = 0;
  for (let at = 0; at < steps; at++) {
    most = Math.max(
      most,
      stack.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
    );
  }
  return most;
}

/** One path for each series, however many steps: a year is drawn as fast as a week. */
function paths(stack: readonly MultipleSeries[], line: number, scale: number) {
  const base: number[] = [];
  return stack.map(({ tone, values }) => {
    let d = "";
    values.forEach((value, at) => {
      const from = base[at] ?? 0;
      if (value === null || value === 0) return;
      base[at] = from + value;
      d += `M${at + 0.1} ${round(line + from * scale)}h.8V${round(line + (from + value) * scale)}h-.8z`;
    });
    return <path key={tone} class={styles[tone]} d={d} />;
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
