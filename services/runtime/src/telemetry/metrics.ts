import { collectDefaultMetrics, Counter, Histogram, Registry, Gauge } from "prom-client";
import type { Measurements, ObserveSeconds, Reading } from "./measurements.js";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Histogram buckets for work that may last as long as the longest video takes on a slow machine. */
const WORK_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 900, 1800, 3600];
/** Histogram buckets for durations of up to hours, as in a backlog. */
const LONG_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30, 60, 300, 900, 3600, 14_400];

const RANGES = { short: SECONDS, work: WORK_SECONDS } as const;

/** The metrics of a process, in Prometheus format. */
export interface Metrics extends Measurements {
  /** The text of `/metrics` and its content type. */
  render(): Promise<{ contentType: string; body: string }>;
}

/** Metrics of one process; tests and embedded use may create several. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    ...requestMetrics(registry),
    ...jobMetrics(registry),
    ...jobCounts(registry),
    gauge: createGauges(registry),
    duration: createDurations(registry),
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

function requestMetrics(
  registry: Registry,
): Pick<Measurements, "observeHttp" | "observeRpc" | "countRequestShed" | "countUploadBytes" | "countLoopStall"> {
  const http = histogram(registry, "hourglass_http_request_duration_seconds", {
    help: "Time to answer REST requests",
    labels: ["method", "route", "status", "waited"],
  });
  const rpc = histogram(registry, "hourglass_rpc_duration_seconds", {
    help: "Time to answer RPCs",
    labels: ["service", "method", "code", "waited"],
  });
  const shed = counter(registry, "hourglass_requests_shed_total", {
    help: "Requests refused because of too much to do",
    labels: ["reason"],
  });
  const uploaded = counter(registry, "hourglass_upload_bytes_total", { help: "Bytes of uploads received", labels: [] });
  const stalls = counter(registry, "hourglass_event_loop_stalled_seconds_total", {
    help: "Seconds in which the event loop stood still for more than one, by the work that made it",
    labels: ["route", "company"],
  });
  return {
    countLoopStall: ({ seconds, ...labels }) => stalls.inc(labels, seconds),
    observeHttp: ({ seconds, waited, ...labels }) => http.observe({ ...labels, waited: String(waited) }, seconds),
    observeRpc: ({ seconds, waited, ...labels }) => rpc.observe({ ...labels, waited: String(waited) }, seconds),
    countUploadBytes: (bytes) => uploaded.inc(bytes),
    countRequestShed: (reason) => shed.inc({ reason }),
  };
}

function jobMetrics(registry: Registry): Pick<Measurements, "observeJob" | "observeJobAge" | "countLeaseLoss"> {
  const duration = histogram(registry, "hourglass_job_duration_seconds", {
    help: "Time a worker spent on one attempt at a job",
    labels: ["queue", "outcome"],
    buckets: WORK_SECONDS,
  });
  const attempts = counter(registry, "hourglass_job_attempts_total", {
    help: "Attempts at jobs that have ended",
    labels: ["queue", "outcome"],
  });
  const age = histogram(registry, "hourglass_job_age_seconds", {
    help: "Time from the creation of a job until a worker first began it",
    labels: ["queue"],
    buckets: LONG_SECONDS,
  });
  const losses = counter(registry, "hourglass_lease_losses_total", {
    help: "Jobs taken from workers that gave no sign of life",
    labels: ["queue"],
  });
  return {
    observeJob: ({ seconds, ...labels }) => {
      duration.observe(labels, seconds);
      attempts.inc(labels);
    },
    observeJobAge: ({ queue, seconds }) => age.observe({ queue }, seconds),
    countLeaseLoss: (queue) => losses.inc({ queue }),
  };
}

function jobCounts(registry: Registry): Pick<Measurements, "countJobCreated" | "countJobEnded"> {
  const created = counter(registry, "hourglass_jobs_created_total", { help: "Jobs accepted", labels: ["kind"] });
  const ended = counter(registry, "hourglass_jobs_ended_total", {
    help: "Jobs that came to their end",
    labels: ["kind", "status"],
  });
  return {
    countJobCreated: (kind) => created.inc({ kind }),
    countJobEnded: (job) => ended.inc(job),
  };
}

/** Creates the durations that services declare; a name has the same labels wherever it is declared. */
function createDurations(registry: Registry): Measurements["duration"] {
  const known = new Map<string, { labels: string; observe: ObserveSeconds<string> }>();
  return (name, help, labels, range = "short") => {
    const declared = known.get(name);
    if (declared === undefined) {
      const made = histogram<string>(registry, name, { help, labels: [...labels], buckets: RANGES[range] });
      const observe: ObserveSeconds<string> = (values, seconds) => made.observe({ ...values }, seconds);
      known.set(name, { labels: labels.join(), observe });
      return observe;
    }
    if (declared.labels !== labels.join()) {
      throw new Error(`${name} has other labels already: ${declared.labels || "none"}`);
    }
    return declared.observe;
  };
}

interface Spec<L extends string> {
  help: string;
  labels: L[];
  buckets?: number[];
}

function histogram<L extends string>(registry: Registry, name: string, { help, labels, buckets }: Spec<L>) {
  return new Histogram({ name, help, labelNames: labels, buckets: buckets ?? SECONDS, registers: [registry] });
}

function counter<L extends string>(registry: Registry, name: string, { help, labels }: Spec<L>) {
  return new Counter({ name, help, labelNames: labels, registers: [registry] });
}

/** Below the scrape timeout, which is about ten seconds in total. */
const READ_MS_MAX = 3000;

type Read = () => Promise<number | readonly Reading[]>;

interface Known {
  labels: readonly string[];
  reads: Read[];
}

/** Creates gauges that are read at each scrape. If a read fails or takes too long, only its values are missing. */
function createGauges(registry: Registry): Measurements["gauge"] {
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
