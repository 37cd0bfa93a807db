import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What a process measures of itself, in the words of Prometheus. */
export interface Metrics {
  observeHttp(request: { method: string; route: string; status: number; seconds: number }): void;
  observeRpc(call: { service: string; method: string; code: string; seconds: number }): void;
  observeJob(job: { queue: string; outcome: string; seconds: number }): void;
  /** Reads a value whenever somebody scrapes, such as the depth of a queue. */
  gauge(name: string, help: string, read: () => Promise<number>): void;
  /** The text of `/metrics` and its content type. */
  render(): Promise<{ contentType: string; body: string }>;
}

/** Metrics of one process; tests and embedded use may make several. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const histogram = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [registry] });
  const http = histogram("hourglass_http_request_duration_seconds", "Time to answer REST requests", [
    "method",
    "route",
    "status",
  ]);
  const rpc = histogram("hourglass_rpc_duration_seconds", "Time to answer RPCs", ["service", "method", "code"]);
  const job = histogram("hourglass_job_duration_seconds", "Time a worker spent on a job", ["queue", "outcome"]);
  return {
    observeHttp: ({ seconds, ...labels }) => http.observe(labels, seconds),
    observeRpc: ({ seconds, ...labels }) => rpc.observe(labels, seconds),
    observeJob: ({ seconds, ...labels }) => job.observe(labels, seconds),
    gauge: (name, help, read) => void new Gauge({ name, help, registers: [registry], collect: readInto(read) }),
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

function readInto(read: () => Promise<number>) {
  return async function (this: Gauge): Promise<void> {
    this.set(await read());
  };
}
