import { ListFilesRequestSchema } from "@hourglass/proto/media/v1/media_service";
import { AppError } from "@hourglass/runtime";
import type { Violations } from "@hourglass/runtime/json";
import type { Clients } from "../clients.js";
import type { Endpoint } from "../http/routing/endpoint.js";
import { jsonReply } from "../http/reply.js";
import { accepted } from "../json/field-errors.js";
import { fromFile } from "../json/file.js";
import { fromCursor } from "../json/fields.js";
import { UPLOAD } from "./upload.js";

/** Reading, listing and deleting uploaded files. */
export function fileRoutes({ media }: Pick<Clients, "media">): Endpoint[] {
  return [
    {
      method: "GET",
      path: UPLOAD,
      access: "api",
      handle: async (call) => {
        const violations: Violations = [];
        const request = accepted(ListFilesRequestSchema, call.page(call.query(violations)), violations);
        const { files, nextCursor } = await media.listFiles(request, call.options());
        return jsonReply(200, { files: files.map(fromFile), next_cursor: fromCursor(nextCursor) });
      },
    },
    {
      method: "GET",
      path: `${UPLOAD}/:id`,
      access: "api",
      record: "file",
      handle: async (call) => {
        const { file } = await media.getFile({ id: call.pathId }, call.options());
        if (file === undefined) throw new AppError("internal", "The file could not be read. Try again later.");
        return jsonReply(200, fromFile(file));
      },
    },
    {
      method: "DELETE",
      path: `${UPLOAD}/:id`,
      access: "api",
      record: "file",
      handle: async (call) => {
        await media.deleteFile({ id: call.pathId }, call.options());
        return { status: 204 };
      },
    },
  ];
}
