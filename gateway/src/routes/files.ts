import { ListFilesRequestSchema, type File } from "@hourglass/proto/media/v1/media_service";
import { AppError } from "@hourglass/runtime";
import { toIso, type Violations } from "@hourglass/runtime/json";
import type { GatewaySettings } from "../config.js";
import { jsonReply } from "../http/reply.js";
import type { Endpoint } from "../http/route.js";
import type { IncomingFile } from "../http/upload.js";
import { accepted } from "../json/field-errors.js";
import { FILE_STATE, FILE_TYPE, fromCursor } from "../json/fields.js";
import type { Clients } from "../services.js";
import { OPERATIONS } from "./operations.js";

/** Path of uploads and of the records of uploaded files. */
export const UPLOAD = `${OPERATIONS}/upload`;

/** Uploading a file for use in an operation. */
export function uploadRoutes(media: Clients["media"], { uploadBytesMax }: Required<GatewaySettings>): Endpoint[] {
  return [
    {
      method: "POST",
      path: UPLOAD,
      access: "api",
      record: "file",
      body: "multipart",
      handle: async (context) => {
        const { idempotencyKey } = context;
        // Loaded here, because the parser of forms brings large tables that nothing else needs.
        const { receiveFile } = await import("../http/upload.js");
        const { id } = await receiveFile(context.request, uploadBytesMax, (file, signal) =>
          media.uploadFile(messages(file, idempotencyKey), context.streamOptions(signal)),
        );
        context.concerns(id);
        return jsonReply(201, { id: Number(id) }, ["Location", `${UPLOAD}/${id}`]);
      },
    },
  ];
}

async function* messages({ name, bytes }: IncomingFile, idempotencyKey: string) {
  yield { part: { case: "metadata" as const, value: { name, idempotencyKey, marksLast: true } } };
  for await (const value of inLargePieces(bytes)) yield { part: { case: "chunk" as const, value } };
  yield { part: { case: "chunk" as const, value: new Uint8Array() }, last: true };
}

/**
 * Minimum size of a piece: each one passes every layer up to the storage, which costs more than to copy what a socket
 * brings at once, 64 KiB at most, into a larger one. Two pieces are under way to a slow service.
 */
const PIECE_BYTES = 131_072;

/**
 * The same bytes without small pieces. Only the first piece is passed on as it arrives, since it shows the file format.
 */
async function* inLargePieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < PIECE_BYTES && !isFirst) continue;
    yield joined(waiting, size);
    isFirst = false;
    waiting = [];
    size = 0;
  }
  if (size > 0) yield joined(waiting, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size);
}

/** Reading, listing and deleting uploaded files. */
export function fileRoutes(media: Clients["media"]): Endpoint[] {
  return [
    {
      method: "GET",
      path: UPLOAD,
      access: "api",
      handle: async (context) => {
        const violations: Violations = [];
        const request = accepted(ListFilesRequestSchema, context.page(context.query(violations)), violations);
        const { files, nextCursor } = await media.listFiles(request, context.options());
        return jsonReply(200, { files: files.map(fromFile), next_cursor: fromCursor(nextCursor) });
      },
    },
    {
      method: "GET",
      path: `${UPLOAD}/:id`,
      access: "api",
      record: "file",
      handle: async (context) => {
        const { file } = await media.getFile({ id: context.pathId }, context.options());
        if (file === undefined) throw new AppError("internal", "The file could not be read. Try again later.");
        return jsonReply(200, fromFile(file));
      },
    },
    {
      method: "DELETE",
      path: `${UPLOAD}/:id`,
      access: "api",
      record: "file",
      handle: async (context) => {
        await media.deleteFile({ id: context.pathId }, context.options());
        return { status: 204 };
      },
    },
  ];
}

/** The record of an uploaded file. */
function fromFile({ id, name, type, sizeBytes, width, height, ...file }: File): unknown {
  const { durationSeconds, hasSound, state, createdAt, expiresAt } = file;
  return {
    id: Number(id),
    name,
    type: FILE_TYPE.of(type),
    size: Number(sizeBytes),
    width: width ?? null,
    height: height ?? null,
    duration: durationSeconds ?? null,
    has_sound: hasSound,
    state: FILE_STATE.of(state),
    created_at: toIso(createdAt),
    expires_at: toIso(expiresAt),
  };
}
