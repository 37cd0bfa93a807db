import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { MediaFacts, MediaFormat } from "@hourglass/analysis/formats";
import {
  type FileMetadata,
  type FileReading,
  type FileSchema,
  FileState,
  FileType,
  MediaService,
  type UploadFileRequest,
} from "@hourglass/proto/media/v1/media_service";
import {
  AppError,
  authorOfCall,
  type AuthenticatedContext,
  type Handlers,
  route,
  type Route,
  toAuthor,
} from "@hourglass/runtime";
import type { FileClaims } from "./claims.js";
import type { FileContents } from "./content.js";
import type { FileRecord, FileRepository } from "./store.js";
import type { FileUploads } from "./upload.js";

export interface RpcDeps {
  repository: FileRepository;
  uploads: FileUploads;
  claims: FileClaims;
  contents: FileContents;
}

/** The service's methods. */
export function mediaRoute({ repository, uploads, claims, contents }: RpcDeps): Route {
  const handlers: Handlers<typeof MediaService> = {
    uploadFile: async (requests, context) => {
      const { metadata, bytes, end } = await begin(requests);
      try {
        const { name, idempotencyKey } = metadata;
        const from = { companyId: companyOf(context), createdBy: authorOfCall(context) };
        const { id, replayed } = await uploads.upload({ ...from, name, idempotencyKey, bytes });
        return { id: BigInt(id), replayed };
      } finally {
        await end();
      }
    },
    claimFiles: async ({ operationId, fileIds }, context) => {
      const companyId = companyOf(context);
      await claims.claim({ companyId, operationId: Number(operationId), fileIds: fileIds.map(Number) });
      return {};
    },
    releaseFiles: async ({ operationId }, context) => {
      await claims.release(Number(operationId), companyOf(context));
      return {};
    },
    deleteFiles: async ({ operationId }, context) => {
      await repository.deleteOfOperation(Number(operationId), companyOf(context));
      return {};
    },
    getFile: async ({ id }, context) => ({
      file: toFileMessage(await repository.find(Number(id), companyOf(context))),
    }),
    listFiles: async ({ limit, cursor }, context) => {
      const { records, nextCursor } = await repository.list(companyOf(context), { limit, cursor });
      return { files: records.map(toFileMessage), nextCursor };
    },
    deleteFile: async ({ id }, context) => {
      await repository.delete(Number(id), companyOf(context));
      return {};
    },
    async *readContent({ id, reading }, context) {
      yield* partsOf(contents, await repository.find(Number(id), companyOf(context)), reading);
    },
    createFileLink: async ({ id, idempotencyKey }, context) => {
      const { token, expiresAt, replayed } = await contents.link(Number(id), companyOf(context), idempotencyKey);
      return { token, expiresAt: timestampFromMs(expiresAt), replayed };
    },
    async *readLinkedFile({ token, reading }) {
      yield* partsOf(contents, await contents.linked(token), reading);
    },
    async *readFile({ fileId }, context) {
      for await (const chunk of repository.read(Number(fileId), companyOf(context))) yield { chunk };
    },
  };
  return route(MediaService, handlers, { product: "api" });
}

/** The record of a file, then what is read of it. A reader who leaves ends the reading. */
export async function* partsOf(
  contents: Pick<FileContents, "read">,
  record: FileRecord,
  reading: FileReading | undefined,
) {
  const { infoOnly = false, offset = 0n, length = 0n, width } = reading ?? {};
  const start = Number(offset);
  const range = { start, ...(length === 0n ? {} : { end: start + Number(length) }) };
  const bytes = contents.read(record, { infoOnly, range, width });
  try {
    // A mistake in what is asked for comes before the record.
    const first = await bytes.next();
    yield { part: { case: "file" as const, value: toFileMessage(record) } };
    if (first.done === true) return;
    yield { part: { case: "chunk" as const, value: first.value } };
    for await (const value of bytes) yield { part: { case: "chunk" as const, value } };
  } finally {
    // A reader may leave before the loop, which would end the reading.
    await bytes.return(undefined);
  }
}

function companyOf({ principal }: AuthenticatedContext): number {
  return principal.companyId;
}

interface BegunUpload {
  metadata: FileMetadata;
  bytes: AsyncIterable<Uint8Array>;
  /** Ends the stream if it was not read to the end. */
  end: () => Promise<void>;
}

async function begin(requests: AsyncIterable<UploadFileRequest>): Promise<BegunUpload> {
  const iterator = requests[Symbol.asyncIterator]();
  const end = async () => void (await iterator.return?.());
  const first = await iterator.next();
  if (first.done !== true && first.value.part.case === "metadata") {
    const metadata = first.value.part.value;
    return { metadata, bytes: chunksOf(iterator, metadata), end };
  }
  await end();
  throw AppError.invalid([{ field: "metadata", message: "Send the metadata of the file first." }]);
}

async function* chunksOf(
  iterator: AsyncIterator<UploadFileRequest>,
  { marksLast }: FileMetadata,
): AsyncGenerator<Uint8Array> {
  let isWhole = !marksLast;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    const { part, last } = next.value;
    if (part.case !== "chunk")
      throw AppError.invalid([{ field: "metadata", message: "Send the metadata of the file only once." }]);
    yield part.value;
    isWhole ||= last;
  }
  if (!isWhole) throw new AppError("cancelled", "The upload ended without its last chunk. Send the whole file again.");
}

type FileInit = MessageInitShape<typeof FileSchema>;

/** GIF is missing, because it cannot be uploaded. */
const TYPES: Partial<Record<MediaFormat, FileType>> = {
  png: FileType.PNG,
  jpg: FileType.JPG,
  mp3: FileType.MP3,
  mp4: FileType.MP4,
};

/** The file as callers read it. */
function toFileMessage({ id, name, facts, state, createdAt, createdBy, dueAt }: FileRecord): FileInit {
  const isUnused = state === "unused";
  return {
    id: BigInt(id),
    name,
    ...(facts === null ? {} : fromFacts(facts)),
    state: isUnused ? FileState.UNUSED : FileState.USED,
    createdAt: timestampFromMs(createdAt),
    createdBy: toAuthor(createdBy),
    ...(isUnused && dueAt !== null ? { expiresAt: timestampFromMs(dueAt) } : {}),
  };
}

function fromFacts({ format, sizeBytes, width, height, durationMs, hasSound }: MediaFacts): FileInit {
  return {
    type: TYPES[format] ?? FileType.UNSPECIFIED,
    sizeBytes: BigInt(sizeBytes),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(durationMs === undefined ? {} : { durationSeconds: durationMs / 1000 }),
    hasSound,
  };
}
