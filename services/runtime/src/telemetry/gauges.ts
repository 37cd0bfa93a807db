import { Gauge, type Registry } from "prom-client";
import type { Measurements, Reading } from "./measurements.js";

/** Below the scrape timeout, which is about ten seconds in total. */
const READ_MS_MAX = 3000;

type Read = () => Promise<number | readonly Reading[]>;

interface Known {
  labels: readonly string[];
  reads: Read[];
}

/** Creates gauges that are read at each scrape. If a read fails or takes too long, only its values are missing. */
export function createGauges(registry: Registry): Measurements["gauge"] {
  const known = new Map<string, Known>();
  return (name, help, read, labels = []) => {
    const gauge = known.get(name);
    if (gauge === undefined) {
      const made: Known = { labels, reads: [once(read)] };
      known.set(name, made);
      new Gauge({ name, help, labelNames: [...labels], registers: [registry], collect: collectFrom(made) });
    } else if (gauge.labels.join() === labels.join()) {
      gauge.reads.push(once(read));
    } else {
      throw new Error(`${name} has other labels already: ${gauge.labels.join(", ") || "none"}`);
    }
  };
}

function collectFrom({ labels: names, reads }: Known) {
  return async function (this: Gauge): Promise<void> {
    const results = await Promise.allSettled(reads.map((read) => inTime(read())));
    this.reset(); // removes old values that are not read now
    for (const result of results) {
      if (result.status === "rejected") {
        if (names.length === 0) this.set(NaN); // otherwise it would be 0, which may be wrong
      } else if (typeof result.value === "number") this.set(result.value);
      else for (const { labels, value } of result.value) this.set({ ...labels }, value);
    }
  };
}

/** Concurrent scrapes share one read, so that scraping the metrics port cannot overload the store. */
function once(read: Read): Read {
  let underWay: ReturnType<Read> | undefined;
  return () => (underWay ??= read().finally(() => (underWay = undefined)));
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("not read in time")), READ_MS_MAX);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
