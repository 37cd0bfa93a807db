import { buildMediaService, type BuiltMediaService } from "@hourglass/media";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import {
  type Blobs,
  type Client,
  createInProcessClient,
  createMetrics,
  Dispatcher,
  type Principal,
  type Queue,
  type Store,
  type Stoppable,
} from "@hourglass/runtime";
import { png } from "../support/png.js";
import { silent, type World } from "./support.js";
import { companyOfToken, serviceTokenOf } from "../support/service-token.js";

/** Storage of files and their records. */
export interface FileStorage {
  store: Store;
  queue: Queue;
  blobs: Blobs;
}

/** Empty storage. */
export interface FileWorld extends World {
  storage: FileStorage;
  /** The same storage, opened by another process. */
  again: () => Promise<FileStorage>;
}

export const CONFIG = {
  uploadBytesMax: 1_000_000,
  unusedFileDays: 7,
  limits: { imagePixelsMax: 1_000_000, durationMsMax: 60_000 },
};

export type Media = Client<typeof MediaService>;

/** A process of the media service. */
export class MediaProcess {
  readonly clock = { now: Date.parse("2026-03-01T12:00:00Z") };
  private readonly parts: Stoppable[] = [];
  private service: BuiltMediaService | undefined;
  private dispatcher = new Dispatcher({
    authenticate: (token) => Promise.resolve(principalOf(Number(token))),
    authenticateService: (token) => Promise.resolve({ service: "operation", companyId: companyOfToken(token) }),
    reportFailure: () => undefined,
  });

  readonly metrics = createMetrics();

  static async on(storage: FileStorage): Promise<MediaProcess> {
    const process = new MediaProcess();
    process.service = await buildMediaService({
      ...storage,
      config: CONFIG,
      log: silent,
      metrics: process.metrics,
      clock: () => process.clock.now,
    });
    return process;
  }

  /** A client of the company. */
  client(companyId = 1): Media {
    const [route] = this.service?.routes ?? [];
    if (route === undefined) throw new Error("no route");
    const client = createInProcessClient(MediaService, route, this.dispatcher);
    const token = String(companyId);
    const byService = { token: serviceTokenOf(companyId) };
    return {
      uploadFile: (requests, options) => client.uploadFile(requests, { token, ...options }),
      claimFiles: (request, options) => client.claimFiles(request, { ...byService, ...options }),
      releaseFiles: (request, options) => client.releaseFiles(request, { ...byService, ...options }),
      readFile: (request, options) => client.readFile(request, { ...byService, ...options }),
      getFile: (request, options) => client.getFile(request, { token, ...options }),
      listFiles: (request, options) => client.listFiles(request, { token, ...options }),
      deleteFile: (request, options) => client.deleteFile(request, { token, ...options }),
      readContent: (request, options) => client.readContent(request, { token, ...options }),
      createFileLink: (request, options) => client.createFileLink(request, { token, ...options }),
      readLinkedFile: (request, options) => client.readLinkedFile(request, options),
      deleteFiles: (request, options) => client.deleteFiles(request, { ...byService, ...options }),
    };
  }

  startSweeper(): void {
    if (this.service !== undefined) this.parts.push(this.service.startSweeper());
  }

  async stop(): Promise<void> {
    for (const part of this.parts.splice(0)) await part.stop(1000);
  }
}

function principalOf(companyId: number): Principal {
  return {
    userId: companyId,
    role: "admin",
    companyId,
    companyName: `Company ${companyId}`,
    email: "person@example.com",
    firstName: "",
    lastName: "",
    products: [{ uid: "api", active: true }],
  };
}

/** The messages of an upload, in chunks of the given size. */
export async function* uploadOf(bytes: Uint8Array, { idempotencyKey = "", chunkBytes = 64, marksLast = false } = {}) {
  yield { part: { case: "metadata" as const, value: { name: "picture.png", idempotencyKey, marksLast } } };
  for (let from = 0; from < bytes.length; from += chunkBytes) {
    yield { part: { case: "chunk" as const, value: bytes.subarray(from, from + chunkBytes) } };
  }
}

/** Uploads small pictures and returns their ids. */
export async function uploadMany(media: Media, count: number): Promise<bigint[]> {
  const ids: bigint[] = [];
  for (let seed = 0; seed < count; seed++) ids.push((await media.uploadFile(uploadOf(png({ seed })))).id);
  return ids;
}

/** The bytes of a file; empty if the service reports that there is none. */
export async function readBack(media: Media, fileId: bigint): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const { chunk } of media.readFile({ fileId })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
