import { created, json, parameter, type RouteDoc } from "./route.js";
import { object, ref, string, type Schema } from "./schema.js";

const TAG = "Operations";
const UPLOAD = "/api/v2/products/api/operations/upload";

/** Schemas of uploaded files. */
export const FILE_SCHEMAS: Readonly<Record<string, Schema>> = {
  NewFile: object({
    file: string("The file, with a file name. 100 MiB, 40 megapixels and 15 minutes at most, unless configured.", {
      format: "binary",
    }),
  }),
};

/** The routes of uploaded files. */
export const FILE_ROUTES: Readonly<Record<string, RouteDoc>> = {
  [`POST ${UPLOAD}`]: {
    id: "uploadFile",
    tag: TAG,
    summary: "Upload a file",
    description:
      "PNG, JPG, MP3 or MP4, in exactly one part named `file`; the bytes tell which, not the name. Other fields are ignored. " +
      "The id is usable in one operation, with which the file is deleted; an unused file is deleted after some days. " +
      "With an Idempotency-Key a request that broke off can be sent again: the same bytes get the same id. What is refused, " +
      "or breaks off, leaves nothing.",
    parameters: [parameter("IdempotencyKey")],
    body: { "multipart/form-data": { schema: ref("NewFile") } },
    answers: { 201: created("Stored.", json(ref("Created"), { id: 1 })) },
    failures: [504, 507],
  },
};
