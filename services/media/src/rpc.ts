import { type FileMetadata, MediaService, type UploadFileRequest } from "@hourglass/proto/media/v1/media_service";
import { AppError, type Handlers, route, type Route } from "@hourglass/runtime";
import type { ClaimFiles } from "./claims/claim-files.js";
import type { DeleteFile } from "./files/delete-file.js";
import type { DeleteFiles } from "./files/delete-files.js";
import { toFileMessage } from "./records/file-message.js";
import type { GetFile } from "./files/get-file.js";
import type { ListFiles } from "./files/list-files.js";
import type { ReadFile } from "./files/read-file.js";
import type { ReleaseFiles } from "./claims/release-files.js";
import type { UploadFile } from "./upload/upload-file.js";

export interface MediaUseCases {
  uploadFile: UploadFile;
  claimFiles: ClaimFiles;
  releaseFiles: ReleaseFiles;
  deleteFiles: DeleteFiles;
  getFile: GetFile;
  listFiles: ListFiles;
  deleteFile: DeleteFile;
  readFile: ReadFile;
}

/** The service's methods. */
export function mediaRoute(useCases: MediaUseCases): Route {
  const handlers: Handlers<typeof MediaService> = {
    uploadFile: async (requests, { principal: { companyId } }) => {
      const upload = await begin(requests);
      try {
        const { name, idempotencyKey } = upload.metadata;
        const id = await useCases.uploadFile({ companyId, name, idempotencyKey, bytes: upload.bytes });
        return { id: BigInt(id) };
      } finally {
        await upload.end();
      }
    },
    claimFiles: async ({ operationId, fileIds }, { principal: { companyId } }) => {
      await useCases.claimFiles({ companyId, operationId: Number(operationId), fileIds: fileIds.map(Number) });
      return {};
    },
    releaseFiles: async ({ operationId }, { principal: { companyId } }) => {
      await useCases.releaseFiles(Number(operationId), companyId);
      return {};
    },
    deleteFiles: async ({ operationId }, { principal: { companyId } }) => {
      await useCases.deleteFiles(Number(operationId), companyId);
      return {};
    },
    getFile: async ({ id }, { principal: { companyId } }) => ({
      file: toFileMessage(await useCases.getFile(Number(id), companyId)),
    }),
    listFiles: async ({ limit, cursor }, { principal: { companyId } }) => {
      const { records, nextCursor } = await useCases.listFiles({ companyId, limit, cursor });
      return { files: records.map(toFileMessage), nextCursor };
    },
    deleteFile: async ({ id }, { principal: { companyId } }) => {
      await useCases.deleteFile(Number(id), companyId);
      return {};
    },
    async *readFile({ fileId }, { principal: { companyId } }) {
      for await (const chunk of useCases.readFile(Number(fileId), companyId)) yield { chunk };
    },
  };
  return route(MediaService, handlers, { product: "api" });
}

interface BegunUpload {
  metadata: FileMetadata;
  bytes: AsyncIterable<Uint8Array>;
  /** Ends the stream if it was not read to the end. */
  end(): Promise<void>;
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
