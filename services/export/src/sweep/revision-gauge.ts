import type { Measurements } from "@hourglass/runtime";
import type { Collections } from "../records/collections.js";

/** Reports at every scrape how many exports still hold erased postings because they could not be revised. */
export function addRevisionGauge(metrics: Measurements, { companies }: Pick<Collections, "companies">): void {
  metrics.gauge(
    "hourglass_export_revisions_failing",
    "Exports from which erased postings could not be removed yet",
    async () => {
      let sum = 0;
      for await (const { failing = 0 } of companies.stream({ failing: { gte: 1 } })) sum += failing;
      return sum;
    },
  );
}
