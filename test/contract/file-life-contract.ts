import { timestampMs } from "@bufbuild/protobuf/wkt";
import { FileState, FileType } from "@hourglass/proto/media/v1/media_service";
import { AppError, type Blobs } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { png } from "../support/png.js";
import { type FileWorld, type Media, MediaProcess, readBack, uploadMany, uploadOf } from "./media-world.js";
import { expectFailure, failureOf, numbersBelow } from "./support.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The life cycle of uploaded files with several processes. */
export function fileLifeContract(name: string, open: () => Promise<FileWorld>): void {
  describe(`files (${name})`, () => {
    let world: FileWorld;
    let one: MediaProcess;
    let other: MediaProcess;
    let media: Media;
    let blobs: Blobs;

    beforeEach(async () => {
      world = await open();
      one = await MediaProcess.on(world.storage);
      other = await MediaProcess.on(await world.again());
      media = one.client();
      ({ blobs } = world.storage);
    });
    afterEach(async () => {
      await Promise.all([one.stop(), other.stop()]);
      await world.close();
    });

    const upload = async (bytes: Uint8Array, idempotencyKey = "", by = media) =>
      (await by.uploadFile(uploadOf(bytes, { idempotencyKey, chunkBytes: 1000 }))).id;
    const sizeOf = (id: bigint) => blobs.size(`files/${id}`);

    it("are kept as they were sent, for their company only", async () => {
      const file = png({ ballast: 400_000 });
      const id = await upload(file);
      expect(await readBack(other.client(), id)).toEqual(file);
      await expectFailure("not-found", readBack(one.client(2), id));
      await expectFailure("not-found", readBack(media, 99n));
    });

    it("have a record with what their bytes tell, for their company only", async () => {
      const file = png({ ballast: 5000 });
      const id = await upload(file);
      const { file: record } = await other.client().getFile({ id });
      expect(record).toMatchObject({
        id,
        name: "picture.png",
        type: FileType.PNG,
        sizeBytes: BigInt(file.length),
        width: 1,
        height: 1,
        hasSound: false,
        state: FileState.UNUSED,
      });
      expect(record).not.toHaveProperty("durationSeconds");
      expect(timestampMs(record!.expiresAt!)).toBe(one.clock.now + 7 * DAY_MS);
      await expectFailure("not-found", one.client(2).getFile({ id }));
      await expectFailure("not-found", media.getFile({ id: 99n }));
      await media.claimFiles({ operationId: 1n, fileIds: [id] });
      const used = (await media.getFile({ id })).file;
      expect(used).toMatchObject({ state: FileState.USED });
      expect(used?.expiresAt).toBeUndefined();
      await media.deleteFiles({ operationId: 1n });
      await expectFailure("not-found", media.getFile({ id }));
    });

    it("are listed newest first, page by page, while nobody has used them", async () => {
      const ids = await uploadMany(media, 5);
      await uploadMany(one.client(2), 1);
      await media.claimFiles({ operationId: 1n, fileIds: [ids[2]!] });
      const first = await other.client().listFiles({ limit: 3 });
      expect(first.files.map(({ id }) => id)).toEqual([ids[4], ids[3], ids[1]]);
      const second = await other.client().listFiles({ limit: 3, cursor: first.nextCursor });
      expect(second.files.map(({ id }) => id)).toEqual([ids[0]]);
      expect(second.nextCursor).toBe("");
      await expectFailure("invalid", media.listFiles({ cursor: "x" }));
      await expectFailure("invalid", media.listFiles({ limit: 0 }));
    });

    it("are deleted on demand by their company, unless an operation has them", async () => {
      const [id = 0n, used = 0n] = await uploadMany(media, 2);
      await media.claimFiles({ operationId: 1n, fileIds: [used] });
      expect((await failureOf(media.deleteFile({ id: used }))).code).toBe("file_used");
      await expectFailure("not-found", one.client(2).deleteFile({ id }));
      expect(await Promise.all([id, used].map(sizeOf))).toEqual([png().length, png().length]);
      await other.client().deleteFile({ id });
      expect(await sizeOf(id)).toBeUndefined();
      await expectFailure("not-found", media.deleteFile({ id }));
      await expectFailure("invalid", media.claimFiles({ operationId: 2n, fileIds: [id] }));
    });

    it("belong to the claim or to who deletes them, when both want them at the same moment", async () => {
      for (let round = 0; round < 20; round++) {
        const [id = 0n] = await uploadMany(media, 1);
        const succeeded = (work: Promise<unknown>) =>
          work.then(
            () => true,
            () => false,
          );
        const [claimed, deleted] = await Promise.all([
          succeeded(media.claimFiles({ operationId: BigInt(200 + round), fileIds: [id] })),
          succeeded(other.client().deleteFile({ id })),
        ]);
        expect(claimed).toBe(!deleted);
        expect(await sizeOf(id)).toBe(claimed ? png().length : undefined);
      }
    });

    it("that are refused, or break off, leave nothing and free their key", async () => {
      const broken = async function* () {
        yield* uploadOf(png({ ballast: 5000 }), { idempotencyKey: "k", chunkBytes: 1000 });
        throw new AppError("cancelled", "The client left.");
      };
      await expectFailure("cancelled", media.uploadFile(broken()));
      const cut = uploadOf(png(), { idempotencyKey: "k", marksLast: true });
      await expectFailure("cancelled", media.uploadFile(cut));
      await expectFailure("invalid", upload(Buffer.from("words"), "k"));
      await expectFailure("invalid", upload(Buffer.alloc(0), "k"));
      await expectFailure("too-large", upload(png({ ballast: 1_000_000 }), "k"));
      const id = await upload(png(), "k");
      for (const earlier of numbersBelow(Number(id)).slice(1)) expect(await sizeOf(BigInt(earlier))).toBeUndefined();
    });

    it("have one id for one key: in turn, at the same moment, and after they were deleted", async () => {
      const [first = 0n, ...rest] = await Promise.all(
        numbersBelow(6).map((index) => upload(png(), "k", (index % 2 === 0 ? one : other).client())),
      );
      for (const id of rest) expect(id).toBe(first);
      expect(await upload(png(), "k")).toBe(first);
      expect((await failureOf(upload(png({ seed: 1 }), "k"))).code).toBe("idempotency_key_reused");
      expect(await upload(png({ seed: 1 }), "k", one.client(2))).not.toBe(first);
      await media.claimFiles({ operationId: 1n, fileIds: [first] });
      await media.deleteFiles({ operationId: 1n });
      expect(await upload(png(), "k")).toBe(first);
      one.clock.now += DAY_MS;
      const later = await upload(png({ seed: 1 }), "k");
      expect(later).not.toBe(first);
      expect(await upload(png({ seed: 1 }), "k")).toBe(later);
    });

    it("are counted in bytes as they arrive", async () => {
      await uploadMany(media, 2);
      expect((await one.metrics.render()).body).toContain(`\nhourglass_upload_bytes_total ${2 * png().length}\n`);
    });

    it("go with their operation, for good", async () => {
      const ids = await uploadMany(media, 3);
      await media.claimFiles({ operationId: 5n, fileIds: ids.slice(0, 2) });
      await media.deleteFiles({ operationId: 5n });
      await media.deleteFiles({ operationId: 5n });
      expect(await Promise.all(ids.map(sizeOf))).toEqual([undefined, undefined, png().length]);
      await expectFailure("invalid", media.claimFiles({ operationId: 6n, fileIds: [ids[0]!] }));
      await expectFailure("not-found", readBack(media, ids[0]!));
    });

    it("are deleted when nobody has used them in time, by several sweepers too; the others stay", async () => {
      const [used = 0n, released = 0n, unused = 0n] = await uploadMany(media, 3);
      await media.claimFiles({ operationId: 1n, fileIds: [used] });
      await media.claimFiles({ operationId: 2n, fileIds: [released] });
      for (const { clock } of [one, other]) clock.now += 6 * DAY_MS;
      await media.releaseFiles({ operationId: 2n });
      for (const { clock } of [one, other]) clock.now += DAY_MS + 1;
      for (const process of [one, other]) process.startSweeper();
      await vi.waitFor(async () => expect(await sizeOf(unused)).toBeUndefined());
      expect(await sizeOf(used)).toBeGreaterThan(0);
      expect(await sizeOf(released)).toBeGreaterThan(0);
      await vi.waitFor(() => expectFailure("invalid", media.claimFiles({ operationId: 3n, fileIds: [unused] })));
    });

    it("belong to the claim or to the sweeper, when both want them at the same moment", async () => {
      for (let round = 0; round < 20; round++) {
        const [id = 0n] = await uploadMany(media, 1);
        for (const { clock } of [one, other]) clock.now += 7 * DAY_MS + 1;
        other.startSweeper();
        const claimed = await media.claimFiles({ operationId: BigInt(100 + round), fileIds: [id] }).then(
          () => true,
          () => false,
        );
        await other.stop();
        if (claimed) expect(await readBack(media, id)).toEqual(png());
        else expect(await sizeOf(id)).toBeUndefined();
      }
    });

    it("that a crash left on their way are removed, and those that are still coming are not", async () => {
      let goOn = (): void => undefined;
      const gate = new Promise<void>((resolve) => (goOn = resolve));
      const slow = async function* () {
        yield* uploadOf(png(), { idempotencyKey: "slow" });
        await gate;
      };
      const coming = media.uploadFile(slow());
      const files = await world.storage.store.collection<{ id: number; state: string }>({ name: "files" });
      await vi.waitFor(async () => expect(await files.count({ state: "incoming" })).toBe(1));
      other.clock.now += HOUR_MS;
      other.startSweeper();
      await other.stop();
      goOn();
      const { id } = await coming;
      expect(await sizeOf(id)).toBe(png().length);
      // The state left by a process that dies between storing the bytes and the record.
      await files.update({ id: Number(id) }, { set: { state: "incoming" } });
      other.clock.now += 8 * DAY_MS;
      other.startSweeper();
      await vi.waitFor(async () => expect(await files.get(Number(id))).toBeUndefined());
      expect(await sizeOf(id)).toBeUndefined();
    });
  });
}
