import { readFileSync } from "node:fs";
import type { ProcessConfig } from "../config/process-config.js";
import type { Dependencies } from "../process/readiness.js";
import { certificatesOf } from "../tls/certificates.js";
import { createMetrics, type Metrics } from "../telemetry/metrics.js";

/** All parts of the product have one version. */
const PACKAGE = new URL("../../package.json", import.meta.url);

/** The metrics of a process, with what it was built from and whether what it depends on answers. */
export function createProcessMetrics(
  { revision, tls }: Pick<ProcessConfig, "revision" | "tls">,
  dependencies: Pick<Dependencies, "areUp" | "isDiskFull">,
): Metrics {
  const metrics = createMetrics();
  const { version } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string };
  const labels = { version, revision: revision ?? "unknown", node: process.version };
  metrics.gauge(
    "hourglass_build_info",
    "What this process was built from; always 1",
    () => Promise.resolve([{ labels, value: 1 }]),
    ["version", "revision", "node"],
  );
  metrics.gauge(
    "hourglass_dependency_up",
    "Whether a dependency answers: 1, or 0 if it is away",
    async () =>
      [...(await dependencies.areUp())].map(([dependency, up]) => ({ labels: { dependency }, value: Number(up) })),
    ["dependency"],
  );
  metrics.gauge(
    "hourglass_disk_full",
    "1 while the disk of the data folder has no room for new work, else 0",
    async () => {
      const isFull = await dependencies.isDiskFull();
      return isFull === undefined ? [] : [{ labels: {}, value: Number(isFull) }];
    },
  );
  if (tls !== undefined) {
    metrics.gauge(
      "hourglass_certificate_expiry_timestamp_seconds",
      "When a certificate in use ends, in seconds since the epoch",
      async () =>
        [...(await certificatesOf(tls)).expiries()].map(([file, at]) => ({ labels: { file }, value: at / 1000 })),
      ["file"],
    );
  }
  return metrics;
}
