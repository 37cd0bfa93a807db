import { jsonArraySize, readJsonArray, type StoredLines } from "@hourglass/export";
import { ExportFormat } from "@hourglass/proto/export/v1/export";
import type { ExportService } from "@hourglass/proto/export/v1/export_service";
import type { Blobs, Handlers, Principal } from "@hourglass/runtime";

/** An export service that has one export, whose lines are the blob `ndjson`. */
export async function servedExport(blobs: Blobs): Promise<Handlers<typeof ExportService>> {
  const lines = await measured(blobs);
  return {
    async *readExport({ format, reading }) {
      const isArray = format === ExportFormat.JSON;
      const size = isArray ? jsonArraySize(lines) : lines.bytes;
      yield { part: { case: "info", value: { exportId: 1n, format, sizeBytes: BigInt(size), tag: "bench" } } };
      if (reading?.infoOnly === true) return;
      const start = Number(reading?.range?.offset ?? 0);
      const length = Number(reading?.range?.length ?? 0);
      const range = { start, end: length === 0 ? size : Math.min(size, start + length) };
      const bytes = isArray ? readJsonArray(() => blobs.get("ndjson"), lines, range) : blobs.get("ndjson", range);
      for await (const value of bytes) yield { part: { case: "chunk", value } };
    },
  };
}

async function measured(blobs: Blobs): Promise<StoredLines> {
  let [bytes, rows] = [0, 0];
  for await (const chunk of blobs.get("ndjson")) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === LINE_FEED) rows++;
  }
  return { bytes, rows };
}

const LINE_FEED = 0x0a;

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
