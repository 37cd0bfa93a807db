import { rm } from "node:fs/promises";
import path from "node:path";
import { ExportFormat } from "@hourglass/proto/export/v1/export";
import { CsvDelimiter } from "@hourglass/proto/export/v1/export_service";
import { afterEach, describe, expect, it } from "vitest";
import {
  collect,
  COMPANY,
  drafts,
  ExportWorld,
  socialIdsOf,
  user,
  type WorldOptions,
} from "../support/export-world.js";

let world: ExportWorld;

async function open(options: WorldOptions = {}): Promise<void> {
  world = await ExportWorld.open(options);
}

afterEach(() => world.close());

const FORMATS = [ExportFormat.JSON, ExportFormat.NDJSON, ExportFormat.CSV, ExportFormat.PARQUET] as const;

describe("the bytes of an export", () => {
  async function done(count = 20): Promise<{ process: Awaited<ReturnType<ExportWorld["process"]>>; id: bigint }> {
    const process = (await world.process()).start();
    const insight = await world.insight();
    await world.save(insight, drafts(0, count));
    const id = await process.create([insight]);
    await process.ended(id);
    return { process, id };
  }

  it("can be read in any range, in every format", async () => {
    await open();
    const { process, id } = await done();
    for (const format of FORMATS) {
      const whole = (await process.read(id, format)).bytes;
      const size = whole.length;
      for (const [offset, length] of [
        [0, 1],
        [1, 100],
        [size - 1, 5],
        [0, 0],
        [500, 0],
        [size, 0],
        [size + 9, 1],
      ] as const) {
        const range = { offset: BigInt(offset), length: BigInt(length) };
        const part = await process.read(id, format, { range });
        const expected = whole.subarray(offset, length === 0 ? size : offset + length);
        expect(part.bytes.equals(expected)).toBe(true);
        expect(part.info).toMatchObject({ sizeBytes: BigInt(size), length: BigInt(expected.length) });
      }
      const last = await process.read(id, format, { range: { suffixLength: 7n } });
      expect(last.bytes.equals(whole.subarray(-7))).toBe(true);
      const told = await process.read(id, format, { infoOnly: true });
      expect(told).toMatchObject({ bytes: Buffer.alloc(0), info: { sizeBytes: BigInt(size) } });
    }
  });

  it("have their own tag in each format, which a reader may require", async () => {
    await open();
    const { process, id } = await done();
    const tags = new Set<string>();
    for (const format of FORMATS) tags.add((await process.read(id, format)).info.tag);
    expect(tags.size).toBe(4);
    const [tag = ""] = tags;
    expect((await process.read(id, ExportFormat.JSON, { expectedTag: tag })).info.tag).toBe(tag);
    const other = process.read(id, ExportFormat.CSV, { expectedTag: tag });
    await expect(other).rejects.toMatchObject({ kind: "precondition", code: "export_revised" });
  });

  it("can be read in another form, with its own tag", async () => {
    await open();
    const { process, id } = await done();
    const form = { columns: ["social_id", "platform"], csvDelimiter: CsvDelimiter.SEMICOLON, csvBom: true };
    const { info, bytes } = await process.read(id, ExportFormat.CSV, { form });
    expect(bytes.toString()).toBe(
      `\ufeffsocial_id;platform\r\n${socialIdsOf(0, 20)
        .map((each) => `${each};twitter\r\n`)
        .join("")}`,
    );
    expect(info).toMatchObject({ sizeBytes: 0n, length: 0n });
    expect(info.tag).not.toBe((await process.read(id, ExportFormat.CSV)).info.tag);
    expect((await process.read(id, ExportFormat.CSV, { form, expectedTag: info.tag })).bytes.equals(bytes)).toBe(true);
    const unknown = process.read(id, ExportFormat.JSON, { form: { columns: ["social_id", "color"] } });
    await expect(unknown).rejects.toMatchObject({ violations: [{ field: "reading.form.columns[1]" }] });
  });

  it("are refused with the time to look again while there are none", async () => {
    await open();
    const process = await world.process();
    const id = await process.create([await world.insight()]);
    const notDone = { kind: "precondition", code: "export_not_done", retryAfterMs: 1000 };
    await expect(process.read(id)).rejects.toMatchObject(notDone);
    await expect(process.exports.createExportLink({ id, format: ExportFormat.CSV }, user())).rejects.toMatchObject(
      notDone,
    );
  });

  it("that are lost are reported as an error", async () => {
    await open();
    const { process, id } = await done();
    await rm(path.join(world.folder, "blobs", "exports"), { recursive: true });
    await expect(process.read(id)).rejects.toMatchObject({ kind: "internal", code: "export_files_lost" });
  });

  it("end in an error if the export is deleted while they are read", async () => {
    await open();
    const { process, id } = await done(2000);
    const reading = process.exports.readExport({ id, format: ExportFormat.NDJSON }, user())[Symbol.asyncIterator]();
    await reading.next();
    await reading.next();
    await process.exports.deleteExport({ id }, user());
    const rest = async () => {
      while ((await reading.next()).done !== true);
    };
    await expect(rest()).rejects.toMatchObject({ code: "export_not_found" });
    expect(await world.files()).toEqual([]);
  });

  it("can be read by a link for five minutes, by nobody who changes it, and not without the product or after a deletion", async () => {
    await open();
    const { process, id } = await done();
    const { token, expiresAt } = await process.exports.createExportLink({ id, format: ExportFormat.CSV }, user());
    expect(Number(expiresAt?.seconds) - Date.now() / 1000).toBeGreaterThan(290);
    const follow = (linked: string) => collect(process.exports.readLinkedExport({ token: linked }));
    expect((await follow(token)).bytes.equals((await process.read(id, ExportFormat.CSV)).bytes)).toBe(true);
    const another = await world.process();
    expect((await collect(another.exports.readLinkedExport({ token }))).info.format).toBe(ExportFormat.CSV);
    const notFound = { kind: "not-found", code: "export_not_found" };
    const changed = [
      token.replace(/-2-/, "-1-"),
      token.replace(/^\d/, "9"),
      `${token.slice(0, -1)}!`,
      token.slice(0, -2),
      "x",
    ];
    for (const wrong of changed) await expect(follow(wrong)).rejects.toMatchObject(notFound);
    world.inactive.add(COMPANY);
    await expect(follow(token)).rejects.toMatchObject(notFound);
    world.inactive.clear();
    expect((await follow(token)).info.format).toBe(ExportFormat.CSV);
    world.ahead = 300_000;
    await expect(follow(token)).rejects.toMatchObject(notFound);
    world.ahead = 0;
    await process.exports.deleteExport({ id }, user());
    await expect(follow(token)).rejects.toMatchObject(notFound);
  });
});
