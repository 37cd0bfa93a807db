import type { Interval } from "../data/periods.js";

/** Lines of an axis of counts, from zero to the first one that is not below `most`. */
export function countTicks(most: number, lines = 4): number[] {
  const step = niceStep(Math.max(1, most) / lines);
  const last = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: last + 1 }, (_, at) => at * step);
}

/** The smallest of 1, 2, 5, 10, 20, … that is not below `least`: counts are whole. */
function niceStep(least: number): number {
  if (least <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}

const HOURS_A_DAY = 24;
/** Every so many steps of an interval an axis may have a mark, the closest ones first. */
const STRIDES: Readonly<Record<string, readonly number[]>> = {
  hour: [1, 2, 3, 6, 12, 24, 48, 96, 168],
  day: [1, 2, 7, 14, 28, 56, 112],
  week: [1, 2, 4, 8, 13, 26, 52],
  month: [1, 2, 3, 6, 12, 24, 60],
} satisfies Record<Interval, readonly number[]>;

/** The steps that get a mark on the axis of time: as many as there is room for, at round times where there are some. */
export function timeTicks(starts: readonly number[], interval: Interval, room: number): number[] {
  const strides = STRIDES[interval] ?? [1, 2, 5, 10, 20, 50, 100];
  const stride = strides.find((each) => starts.length / each <= Math.max(1, room)) ?? strides.at(-1) ?? 1;
  const isRound = roundnessOf(interval, stride);
  const marked = starts.flatMap((start, at) => (isRound(start, at) ? [at] : []));
  return marked.length > 0 ? marked : [0];
}

function roundnessOf(interval: Interval, stride: number): (start: number, at: number) => boolean {
  if (interval === "hour") {
    return (start) => {
      const hours = Math.floor(start / 3_600_000);
      return stride <= HOURS_A_DAY
        ? hours % stride === 0
        : hours % HOURS_A_DAY === 0 && (hours / HOURS_A_DAY) % (stride / HOURS_A_DAY) === 0;
    };
  }
  // Marks at Mondays: 1 January 1970 was a Thursday.
  if (interval === "day" && stride >= 7) {
    return (start) => {
      const days = Math.floor(start / 86_400_000) + 3;
      return days % stride === 0;
    };
  }
  if (interval === "month") {
    return (start) => {
      const day = new Date(start);
      return (day.getUTCFullYear() * 12 + day.getUTCMonth()) % stride === 0;
    };
  }
  return (_, at) => at % stride === 0;
}
