import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { deflateSync, crc32 } from "node:zlib";
import { fromBinary } from "@bufbuild/protobuf";
import { openGallery } from "@hourglass/media";
import { GallerySchema, type Gallery } from "@hourglass/proto/media/v1/gallery";
import {
  AppError,
  type Blobs,
  createLogger,
  openSqliteStore,
  openFileBlobs,
  type SqliteStore,
} from "@hourglass/runtime";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readAdminConfig } from "../config.js";
import type { Administration, OptionValues } from "./administration.js";
import { COMMANDS } from "./commands.js";

let folder: string;
let store: SqliteStore;
let blobs: Blobs;
let picture: string;
let descriptor: number[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-gallery-"));
  store = await openSqliteStore({ dataDir: folder, log: createLogger("silent") });
  blobs = await openFileBlobs({ folder: path.join(folder, "files") });
  picture = path.join(folder, "picture.png");
  await writeFile(picture, png());
  descriptor = Array.from({ length: 128 }, (_, index) => index / 128);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const COMPANIES = ["Acme", "Bolt"].map((name, index) => ({ id: BigInt(index + 1), name }));

async function run(command: string, values: OptionValues, env: Record<string, string> = {}): Promise<string[]> {
  const administration = {
    config: readAdminConfig({ FACE_RECOGNITION: "true", ...env }),
    accounts: () => Promise.resolve({ listCompanies: () => Promise.resolve({ companies: COMPANIES }) }),
    gallery: () => openGallery({ store, blobs }),
    describeFace: () => Promise.resolve(descriptor),
  } as unknown as Administration;
  return COMMANDS[command]!.run(administration, values);
}

/** The gallery that workers read; undefined if there is none. */
async function rendered(companyId: number): Promise<Gallery | undefined> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of blobs.get(`galleries/${companyId}`)) parts.push(part);
  } catch (error) {
    if (error instanceof AppError && error.kind === "not-found") return undefined;
    throw error;
  }
  return fromBinary(GallerySchema, Buffer.concat(parts));
}

/** 1 × 1 pixel. */
function png(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const head = Buffer.from("00000001000000010802000000", "hex");
  const pixels = deflateSync(Buffer.alloc(4));
  const chunks = [chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...chunks]);
}

it("gives workers the faces that were enrolled, several pictures of one person too, and takes them away", async () => {
  const ann = { company: "Acme", name: " Ann ", file: picture };
  expect((await run("face enroll", ann))[0]).toBe("Enrolled  Ann ");
  await run("face enroll", ann);
  await run("face enroll", { ...ann, name: "Bob" });
  expect(await run("face list", { company: "Acme" })).toEqual(["Ann\t2", "Bob\t1"]);
  const { faces = [] } = (await rendered(1)) ?? {};
  expect(faces.map(({ name }) => name)).toEqual(["Ann", "Ann", "Bob"]);
  expect(faces[0]?.descriptor).toEqual(descriptor.map(Math.fround));
  expect(await run("face forget", { company: "Acme", name: "Ann" })).toEqual(["Forgot Ann: 2 pictures"]);
  expect((await rendered(1))?.faces).toHaveLength(1);
  await run("face forget", { company: "Acme", name: "Bob" });
  expect(await rendered(1)).toBeUndefined();
  await expect(run("face forget", { company: "Acme", name: "Bob" })).rejects.toThrow("Nobody is enrolled");
});

it("keeps companies apart", async () => {
  await run("face enroll", { company: "Acme", name: "Ann", file: picture });
  await run("logo add", { company: "Bolt", name: "Bolt", file: picture });
  expect(await run("face list", { company: "Bolt" })).toEqual([]);
  expect(await run("logo list", { company: "Acme" })).toEqual([]);
  expect(await rendered(2)).toMatchObject({ faces: [], marks: [{ name: "Bolt" }] });
  await expect(run("face forget", { company: "Bolt", name: "Ann" })).rejects.toThrow("Nobody is enrolled");
  await expect(run("logo list", { company: "Nobody's" })).rejects.toThrow("There is no company");
});

it("keeps one logo of a name, as it was given last", async () => {
  const logo = { company: "Bolt", name: "Bolt", file: picture };
  await run("logo add", logo);
  await run("logo add", logo);
  expect(await run("logo list", { company: "Bolt" })).toEqual(["Bolt"]);
  expect(Buffer.from((await rendered(2))?.marks[0]?.png ?? [])).toEqual(png());
  expect(await run("logo remove", { company: "Bolt", name: "Bolt" })).toEqual(["Removed Bolt"]);
  await expect(run("logo remove", { company: "Bolt", name: "Bolt" })).rejects.toThrow("There is no logo");
});

it("gives workers all that was added at the same moment", async () => {
  const names = Array.from({ length: 8 }, (_, index) => `Logo ${index}`);
  await Promise.all(names.map((name) => run("logo add", { company: "Acme", name, file: picture })));
  expect((await rendered(1))?.marks.map(({ name }) => name).sort()).toEqual(names);
});

it("enrolls nobody unless recognition is switched on, and says what that means", async () => {
  const enroll = run("face enroll", { company: "Acme", name: "Ann", file: picture }, { FACE_RECOGNITION: "false" });
  await expect(enroll).rejects.toThrow(/FACE_RECOGNITION=true.*consent/);
  expect(await run("face list", { company: "Acme" }, { FACE_RECOGNITION: "false" })).toEqual([]);
});

it.each([
  ["face enroll", { name: "Ann", file: "missing.png" }, /missing\.png cannot be read/],
  ["face enroll", { name: "Ann", file: "notes.txt" }, /notes\.txt cannot be used\. The file/],
  ["face enroll", { name: "\u0007", file: "picture.png" }, /name: give 1 to 100/],
  ["logo add", { name: "", file: "picture.png" }, /name: give 1 to 100/],
  ["logo add", { name: "Bolt", file: "." }, /is not a file/],
])("%s refuses %j", async (command, { name, file }, message) => {
  await writeFile(path.join(folder, "notes.txt"), "words");
  await expect(run(command, { company: "Acme", name, file: path.join(folder, file) })).rejects.toThrow(message);
  expect(await rendered(1)).toBeUndefined();
});
