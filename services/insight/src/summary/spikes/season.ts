import { DAY_MS, HOUR_MS } from "../../marks/periods.js";
import { median, spreadOf } from "./robust.js";

/** A value whose standard deviation would be 1 / `weight` if only chance varied it. */
export interface Sample {
  /** Start of its step, in milliseconds since the epoch. */
  at: number;
  value: number;
  weight: number;
}

/** Rounds in which the effects of hours and weekdays are told apart. */
const ROUNDS = 2;

/**
 * What is usual at each hour and weekday: medians, so that earlier spikes do not change it, as in seasonal hybrid ESD
 * (Hochenbaum, Vallis, Kejariwal 2017, "Automatic Anomaly Detection in the Cloud Via Statistical Learning").
 */
export class Season {
  private readonly level: number;
  private readonly effects: { keyOf: (at: number) => number; of: Map<number, number> }[];
  private readonly center: number;
  private readonly deviation: number;

  constructor(samples: readonly Sample[], unit: "hour" | "day") {
    const keys = unit === "hour" ? [hourOf, weekdayOf] : [weekdayOf];
    this.effects = keys.map((keyOf) => ({ keyOf, of: new Map<number, number>() }));
    this.level = median(samples.map(({ value }) => value));
    for (let round = 0; round < ROUNDS; round++) for (const effect of this.effects) this.fit(effect, samples);
    const rest = samples.map((sample) => (sample.value - this.usual(sample.at)) * sample.weight);
    const { center, deviation } = spreadOf(rest);
    this.center = center;
    // What the effects have taken up is missing in the rest. Counts vary at least by chance.
    const fitted = this.effects.reduce((sum, { of }) => sum + of.size, 0);
    const freedom = Math.max(1, samples.length - fitted);
    this.deviation = Math.max(1, deviation * Math.sqrt(samples.length / freedom));
  }

  /** Whether there were samples at this hour and on this weekday. */
  knows(at: number): boolean {
    return this.effects.every(({ keyOf, of }) => of.has(keyOf(at)));
  }

  usual(at: number): number {
    return this.effects.reduce((sum, { keyOf, of }) => sum + (of.get(keyOf(at)) ?? 0), this.level);
  }

  /** Distance from what is usual, in robust standard deviations. */
  score({ at, value, weight }: Sample): number {
    return ((value - this.usual(at)) * weight - this.center) / this.deviation;
  }

  private fit({ keyOf, of }: (typeof this.effects)[number], samples: readonly Sample[]): void {
    const rests = new Map<number, number[]>();
    for (const { at, value } of samples) {
      const key = keyOf(at);
      const rest = value - this.usual(at) + (of.get(key) ?? 0);
      const others = rests.get(key);
      if (others === undefined) rests.set(key, [rest]);
      else others.push(rest);
    }
    for (const [key, values] of rests) of.set(key, median(values));
  }
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS) % 24;
}

function weekdayOf(at: number): number {
  return Math.floor(at / DAY_MS) % 7;
}
