import type { Clients } from "../clients.js";
import type { Endpoint } from "../http/endpoint.js";
import { receiveFile, type IncomingFile } from "../http/file-form.js";
import { jsonReply } from "../http/reply.js";
import type { GatewaySettings } from "../http/settings.js";

const UPLOAD = "/api/v2/products/api/operations/upload";

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
      body: "multipart",
      handle: async (call) => {
        const { idempotencyKey } = call;
        const { id } = await receiveFile(call.exchange, uploadBytesMax, (file, signal) =>
          media.uploadFile(messages(file, idempotencyKey), call.streamOptions(signal)),
        );
        return jsonReply(201, { id: Number(id) }, ["Location", `${UPLOAD}/${id}`]);
      },
    },
  ];
}

async function* messages({ name, bytes }: IncomingFile, idempotencyKey: string) {
  yield { part: { case: "metadata" as const, value: { name, idempotencyKey } } };
  for await (const value of bytes) yield { part: { case: "chunk" as const, value } };
}
