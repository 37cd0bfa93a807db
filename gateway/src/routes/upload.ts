import type { Clients } from "../clients.js";
import type { Endpoint } from "../http/endpoint.js";
import { jsonReply } from "../http/reply.js";

/** Uploading a file for use in an operation. */
export function uploadRoutes({ media }: Pick<Clients, "media">): Endpoint[] {
  return [
    {
      method: "POST",
      path: "/api/v2/products/api/operations/upload",
      access: "api",
      body: "multipart",
      handle: async (call) => {
        const { id } = await media.uploadFile(metadata(call.idempotencyKey), call.options());
        return jsonReply(201, { id: Number(id) });
      },
    },
  ];
}

async function* metadata(idempotencyKey: string) {
  yield { part: { case: "metadata" as const, value: { name: "", idempotencyKey } } };
}
