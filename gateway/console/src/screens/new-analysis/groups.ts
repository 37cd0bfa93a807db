/** Which texts are looked at together for a personality. */
export const GROUPINGS = ["together", "each", "column", "own"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** A line of groups that cannot be used. */
export interface GroupFault {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly kind: "syntax" | "range";
}

export interface Groups {
  /** As the interface takes them: indexes from 0, separated by commas. */
  readonly groups: readonly string[];
  readonly faults: readonly GroupFault[];
}

/** Groups as people write them, a line each: `1-3, 7`, numbers from 1 to `count`. */
export function readGroups(text: string, count: number): Groups {
  const groups: string[] = [];
  const faults: GroupFault[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    const found = numbersOf(trimmed);
    if (found === undefined) faults.push({ line: at + 1, text: trimmed, kind: "syntax" });
    else if (found.some(([first, last]) => first < 1 || last > count || first > last)) {
      faults.push({ line: at + 1, text: trimmed, kind: "range" });
    } else {
      const indexes = found.flatMap(([first, last]) =>
        Array.from({ length: last - first + 1 }, (_, step) => first - 1 + step),
      );
      groups.push([...new Set(indexes)].join(","));
    }
  }
  return { groups, faults };
}

function numbersOf(line: string): (readonly [number, number])[] | undefined {
  const parts = line.split(",").map((part) => /^\s*(\d{1,4})\s*(?:[-–]\s*(\d{1,4})\s*)?$/.exec(part));
  if (parts.some((part) => part === null)) return undefined;
  return parts.map((part) => [Number(part?.[1]), Number(part?.[2] ?? part?.[1])]);
}

/** Groups of the texts that have the same value, such as the same author; what has none is a group by itself. */
export function groupsOfValues(values: readonly string[]): string[] {
  const groups = new Map<string, number[]>();
  for (const [index, value] of values.entries()) {
    const key = value.trim() === "" ? `\u0000${index}` : value.trim();
    groups.set(key, [...(groups.get(key) ?? []), index]);
  }
  return [...groups.values()].map((indexes) => indexes.join(","));
}
