import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ExportFormat, ExportSchema, ExportStatus } from "@hourglass/proto/export/v1/export";
import type { ExportInfoSchema, ExportReading } from "@hourglass/proto/export/v1/export_service";
import { Completeness, GapReason } from "@hourglass/proto/insight/v1/coverage";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { AppError } from "@hourglass/runtime";
import type { FakeHandlers } from "./gateway-under-test.js";

export const LINK_TOKEN = "signed.token";

/** The bytes of each format of the fake export. */
export const EXPORTED: Readonly<Record<number, string>> = {
  [ExportFormat.JSON]: '[{"a":1},{"a":2}]',
  [ExportFormat.CSV]: "a\r\n1\r\n2\r\n",
  [ExportFormat.NDJSON]: '{"a":1}\n{"a":2}\n',
  [ExportFormat.PARQUET]: "PAR1 PAR1",
};

const COVERAGE = [
  {
    insightSearchId: 1n,
    platforms: [{ platform: Platform.NEWS, spans: [{ completeness: Completeness.THIN, reasons: [GapReason.OUTAGE] }] }],
  },
];

type Part = {
  part: { case: "info"; value: MessageInitShape<typeof ExportInfoSchema> } | { case: "chunk"; value: Uint8Array };
};

/** An export service with one export, 9, whose bytes it sends one by one. */
export class FakeExports {
  status = ExportStatus.DONE;
  tag = "tag1";
  /** Called before each byte. */
  onByte: () => void | Promise<void> = () => undefined;
  /** Called after each first message. */
  onInfo: () => void = () => undefined;
  readonly readings: ExportReading[] = [];
  deleted = 0;
  /** Readings that have begun and not ended. */
  open = 0;

  readonly handlers: NonNullable<FakeHandlers["export"]> = {
    createExport: () => Promise.resolve({ id: 9n }),
    getExport: () => Promise.resolve({ export: this.record }),
    listExports: () => Promise.resolve({ exports: [this.record] }),
    deleteExport: () => {
      this.deleted++;
      return Promise.resolve({});
    },
    readExport: ({ format, reading }) => this.read(format, reading),
    createExportLink: () => Promise.resolve({ token: LINK_TOKEN, expiresAt: { seconds: 300n } }),
    readLinkedExport: ({ token, reading }) => {
      if (token !== LINK_TOKEN) throw new AppError("not-found", "There is no such link.");
      return this.read(ExportFormat.CSV, reading);
    },
  };

  private get record() {
    return create(ExportSchema, {
      id: 9n,
      status: this.status,
      query: { insightSearchIds: [1n, 2n], startDate: "2026-01-01", endDate: "2026-01-02" },
      progress: { total: 2n, analysed: 2n, rendered: 1n, done: 1n },
      ...(this.status === ExportStatus.DONE
        ? { rows: 2n, files: [{ format: ExportFormat.CSV, sizeBytes: 9n }], coverage: COVERAGE }
        : {}),
    });
  }

  private async *read(format: ExportFormat, reading: ExportReading | undefined): AsyncGenerator<Part> {
    if (reading === undefined) throw new Error("nothing was asked for");
    this.readings.push(reading);
    this.mustBeDone();
    this.mustBe(reading.expectedTag);
    const tag = this.tag;
    const bytes = Buffer.from(EXPORTED[format] ?? "");
    const sizeBytes = reading.form === undefined ? BigInt(bytes.length) : 0n;
    yield { part: { case: "info", value: { exportId: 9n, format, sizeBytes, tag } } };
    this.onInfo();
    if (reading.infoOnly) return;
    this.open++;
    try {
      yield* this.send(bytes, reading, tag);
    } finally {
      this.open--;
    }
  }

  private async *send(bytes: Buffer, { range }: ExportReading, tag: string): AsyncGenerator<Part> {
    const { offset, length } = range ?? { offset: 0n, length: 0n };
    const end = length === 0n ? undefined : Number(offset + length);
    for (const byte of bytes.subarray(Number(offset), end)) {
      await this.onByte();
      this.mustBe(tag);
      yield { part: { case: "chunk", value: Buffer.of(byte) } };
      await new Promise(setImmediate);
    }
  }

  private mustBeDone(): void {
    if (this.status === ExportStatus.DONE) return;
    throw new AppError("precondition", "The export is not done.", { code: "export_not_done", retryAfterMs: 2000 });
  }

  private mustBe(tag: string): void {
    if (tag === "" || tag === this.tag) return;
    throw new AppError("precondition", "The export was revised.", { code: "export_revised" });
  }
}
