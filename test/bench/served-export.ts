import { jsonArraySize, readJsonArray } from "@hourglass/export";
import { ExportFormat } from "@hourglass/proto/export/v1/export";
import type { ExportService } from "@hourglass/proto/export/v1/export_service";
import type { Blobs, Handlers, Principal } from "@hourglass/runtime";

/** An export service that has one export, whose lines are the blob `ndjson`. */
export function servedExport(blobs: Blobs, linesSize: number): Handlers<typeof ExportService> {
  return {
    async *readExport({ format, reading }) {
      const isArray = format === ExportFormat.JSON;
      const size = isArray ? jsonArraySize(linesSize) : linesSize;
      yield { part: { case: "info", value: { exportId: 1n, format, sizeBytes: BigInt(size), tag: "bench" } } };
      if (reading?.infoOnly === true) return;
      const start = Number(reading?.range?.offset ?? 0);
      const length = Number(reading?.range?.length ?? 0);
      const range = { start, end: length === 0 ? size : Math.min(size, start + length) };
      const read = (part: { start: number; end?: number }) => blobs.get("ndjson", part);
      const bytes = isArray ? readJsonArray(read, linesSize, range) : read(range);
      for await (const value of bytes) yield { part: { case: "chunk", value } };
    },
  };
}

/** The user of every call. */
export const CALLER: Principal = {
  userId: 1,
  role: "admin",
  companyId: 1,
  companyName: "Example",
  email: "user@example.com",
  firstName: "Ada",
  lastName: "Example",
  products: [{ uid: "insight", active: true }],
};
