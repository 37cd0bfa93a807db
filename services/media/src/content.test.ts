import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { UnreadableFileError } from "@hourglass/analysis/previews";
import { AppError, type Blobs, createLogger, openFileBlobs, openSqliteStore, type Store } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileContents } from "./content.js";
import { partsOf } from "./rpc.js";
import { type FileRecord, FileRepository } from "./store.js";

const PNG = { format: "png", sizeBytes: 4, width: 2, height: 2, hasSound: false, hasPictures: true } as const;
const MP3 = { format: "mp3", sizeBytes: 4, durationMs: 10, hasSound: true, hasPictures: false } as const;
const ALL = { infoOnly: false, range: { start: 0 }, width: undefined };

let dataDir: string;
let store: Store;
let blobs: Blobs;
let repository: FileRepository;
let made: number[];
let make: () => Promise<Uint8Array>;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-media-"));
  store = await openSqliteStore({ dataDir, log: createLogger("silent") });
  blobs = await openFileBlobs({ folder: path.join(dataDir, "files") });
  repository = await FileRepository.open({ store, blobs, now: () => 0, unusedMs: 1000 });
  made = [];
  make = () => Promise.resolve(Buffer.from("webp"));
});
afterEach(async () => {
  await blobs.close();
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function* piece(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

async function file(facts: FileRecord["facts"] = PNG): Promise<FileRecord> {
  const id = await repository.nextId();
  const rest = { operationId: null, dueAt: null, name: "a", createdAt: 0, sha256: null, idempotency: null };
  const record: FileRecord = { id, companyId: 1, state: "unused", facts, ...rest };
  await repository.files.insert(record);
  await repository.putBytes(id, piece("abcd"));
  return record;
}

function contents(): FileContents {
  const previews = {
    make: async (_bytes: AsyncIterable<Uint8Array>, { width }: { width: number }) => {
      made.push(width);
      return make();
    },
  };
  return new FileContents({ repository, previews, now: () => 0 });
}

async function read(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}

const keys = async () => {
  const all: string[] = [];
  for await (const { key } of blobs.list()) all.push(key);
  return all.sort();
};

describe("the content of a file", () => {
  it("is its bytes, or a part of them, or nothing but what the record says", async () => {
    const record = await file();
    expect(await read(contents().read(record, ALL))).toBe("abcd");
    expect(await read(contents().read(record, { ...ALL, range: { start: 1, end: 3 } }))).toBe("bc");
    expect(await read(contents().read(record, { ...ALL, infoOnly: true }))).toBe("");
  });

  it("is behind a link as long as the file exists", async () => {
    const record = await file();
    const { token } = await contents().link(record.id, 1);
    expect((await contents().linked(token)).id).toBe(record.id);
    await expect(contents().link(record.id, 2)).rejects.toMatchObject({ kind: "not-found" });
    await repository.delete(record.id, 1);
    await expect(contents().linked(token)).rejects.toMatchObject({ kind: "not-found" });
    await expect(contents().linked("x")).rejects.toMatchObject({ kind: "not-found" });
  });
});

describe("a small picture", () => {
  it("is made once for each width, however many ask for it, and kept as long as the file", async () => {
    const record = await file();
    const shared = contents();
    const small = { ...ALL, width: 256 };
    const read3 = [shared, shared, shared].map((each) => read(each.read(record, small)));
    expect(await Promise.all(read3)).toEqual(["webp", "webp", "webp"]);
    expect(await read(contents().read(record, small))).toBe("webp");
    expect(await read(contents().read(record, { ...ALL, width: 64 }))).toBe("webp");
    expect(made).toEqual([256, 64]);
    expect(await keys()).toEqual([`files/${record.id}`, `previews/${record.id}-256`, `previews/${record.id}-64`]);
    await repository.delete(record.id, 1);
    expect(await keys()).toEqual([]);
  });

  it("is not kept when the file is deleted while it is made", async () => {
    const record = await file();
    make = async () => {
      await repository.delete(record.id, 1);
      return Buffer.from("webp");
    };
    await expect(read(contents().read(record, { ...ALL, width: 64 }))).rejects.toMatchObject({ kind: "not-found" });
    expect(await keys()).toEqual([]);
  });

  it("is refused for a file that has none, and for one that cannot be decoded, which may be asked for again", async () => {
    const sound = await file(MP3);
    const refused = read(contents().read(sound, { ...ALL, infoOnly: true, width: 64 }));
    await expect(refused).rejects.toMatchObject({ kind: "invalid", code: "no_picture" });
    const record = await file();
    const shared = contents();
    make = () => Promise.reject(new UnreadableFileError("It is damaged."));
    const small = () => read(shared.read(record, { ...ALL, width: 64 }));
    await expect(small()).rejects.toMatchObject({
      violations: [{ field: "reading.width", message: "It is damaged." }],
    });
    make = () => Promise.resolve(Buffer.from("webp"));
    expect(await small()).toBe("webp");
  });

  it("needs what makes it", async () => {
    const none = new FileContents({ repository, previews: undefined, now: () => 0 });
    const failure = await read(none.read(await file(), { ...ALL, width: 64 })).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ kind: "unimplemented" });
  });
});

it.each([1, 2, 3])("is read no further when its reader leaves after %i messages", async (messages) => {
  let isEnded = false;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield await Promise.resolve(Buffer.from("abcd"));
    } finally {
      isEnded = true;
    }
  }
  const parts = partsOf({ read: bytes }, await file(), undefined);
  for (let taken = 0; taken < messages; taken++) expect((await parts.next()).done).toBe(false);
  await parts.return(undefined);
  expect(isEnded).toBe(true);
});
