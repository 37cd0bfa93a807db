import type { Clients } from "../clients.js";
import type { Endpoint } from "../http/routing/endpoint.js";
import type { IncomingFile } from "../http/body/file-form.js";
import { jsonReply } from "../http/reply.js";
import type { GatewaySettings } from "../http/settings.js";

/** Path of uploads and of the records of uploaded files. */
export const UPLOAD = "/api/v2/products/api/operations/upload";

/** Uploading a file for use in an operation. */
export function uploadRoutes(
  { media }: Pick<Clients, "media">,
  { uploadBytesMax }: Pick<Required<GatewaySettings>, "uploadBytesMax">,
): Endpoint[] {
  return [
    {
      method: "POST",
      path: UPLOAD,
      access: "api",
      record: "file",
      body: "multipart",
      handle: async (call) => {
        const { idempotencyKey } = call;
        // Loaded here, because the parser of forms brings large tables that nothing else needs.
        const { receiveFile } = await import("../http/body/file-form.js");
        const { id } = await receiveFile(call.exchange, uploadBytesMax, (file, signal) =>
          media.uploadFile(messages(file, idempotencyKey), call.streamOptions(signal)),
        );
        call.concerns(id);
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
