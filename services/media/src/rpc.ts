import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { MediaFacts, MediaFormat } from "@hourglass/analysis/formats";
import {
  type FileMetadata,
  type FileSchema,
  FileState,
  FileType,
  MediaService,
  type UploadFileRequest,
} from "@hourglass/proto/media/v1/media_service";
import { AppError, type AuthenticatedContext, type Handlers, route, type Route } from "@hourglass/runtime";
import type { FileClaims } from "./claims.js";
import type { FileRecord, FileRepository } from "./store.js";
import type { FileUploads } from "./upload.js";

export interface RpcDeps {
  repository: FileRepository;
  uploads: FileUploads;
  claims: FileClaims;
}

/** The service's methods. */
export function mediaRoute({ repository, uploads, claims }: RpcDeps): Route {
  const handlers: Handlers<typeof MediaService> = {
    uploadFile: async (requests, context) => {
      const { metadata, bytes, end } = await begin(requests);
      try {
        const { name, idempotencyKey } = metadata;
        return { id: BigInt(await uploads.upload({ companyId: companyOf(context), name, idempotencyKey, bytes })) };
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
    async *readFile({ fileId }, context) {
      for await (const chunk of repository.read(Number(fileId), companyOf(context))) yield { chunk };
    },
  };
  return route(MediaService, handlers, { product: "api" });
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
function toFileMessage({ id, name, facts, state, createdAt, dueAt }: FileRecord): FileInit {
  const isUnused = state === "unused";
  return {
    id: BigInt(id),
    name,
    ...(facts === null ? {} : fromFacts(facts)),
    state: isUnused ? FileState.UNUSED : FileState.USED,
    createdAt: timestampFromMs(createdAt),
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
