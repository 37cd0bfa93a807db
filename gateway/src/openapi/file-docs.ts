import { FileMetadataSchema } from "@hourglass/proto/media/v1/media_service";
import { FILE_STATE, FILE_TYPE } from "../json/fields.js";
import { UPLOAD } from "../routes/files.js";
import { created, deleteRoute, json, listRoute, parameter, readRoute, type RouteDoc } from "./describe.js";
import {
  boolean,
  enumeration,
  integer,
  limitsOf,
  moment,
  nullable,
  number,
  object,
  page,
  recordId,
  ref,
  string,
  type Schema,
} from "./schema.js";

const TAG = "Operations";

/** Schemas of uploaded files. */
export const FILE_SCHEMAS: Readonly<Record<string, Schema>> = {
  NewFile: object({
    file: string("The file, with a file name. 100 MiB, 40 megapixels and 15 minutes at most, unless configured.", {
      format: "binary",
    }),
  }),
  CreatedFile: object({ id: recordId("Id of the new file.") }),
  FileType: enumeration(FILE_TYPE.names, "As its bytes tell."),
  FileState: enumeration(
    FILE_STATE.names,
    "`unused`: free for an operation. `used`: an operation has it, with which it is deleted.",
  ),
  File: object({
    id: recordId("Id of the file, for `contents` of an operation."),
    name: string("As you named it; a longer name is cut.", limitsOf(FileMetadataSchema, "name")),
    type: ref("FileType"),
    size: integer("Bytes.", { format: "int64", minimum: 1 }),
    width: nullable(
      integer("Pixels as shown, turned as viewers and players turn it. Null without pictures.", { minimum: 1 }),
    ),
    height: nullable(
      integer("Pixels as shown, turned as viewers and players turn it. Null without pictures.", { minimum: 1 }),
    ),
    duration: nullable(number("Seconds of sound or video. Null for pictures.", { minimum: 0 })),
    has_sound: boolean("Whether it has a track of sound."),
    state: ref("FileState"),
    created_at: moment("When its upload began."),
    expires_at: nullable(moment("When it is deleted unless an operation uses it. Null once one does.")),
  }),
  FilePage: page("files", "File"),
};

const EXAMPLE = {
  id: 5,
  name: "dancing.mp4",
  type: "mp4",
  size: 1_482_113,
  width: 1280,
  height: 720,
  duration: 15.04,
  has_sound: true,
  state: "unused",
  created_at: "2026-01-31T12:00:00.000Z",
  expires_at: "2026-02-07T12:00:01.000Z",
};

const ACCEPTED = "image/png, image/jpeg, audio/mpeg, video/mp4";

/** The routes of uploaded files. */
export const FILE_ROUTES: Readonly<Record<string, RouteDoc>> = {
  [`POST ${UPLOAD}`]: {
    id: "uploadFile",
    tag: TAG,
    summary: "Upload a file",
    description:
      "PNG, JPG, MP3 or MP4, whole, in exactly one part named `file`; the bytes tell which, not the name. Other fields are ignored. " +
      "The id is usable in one operation, with which the file is deleted; an unused file is deleted after some days. " +
      "With an Idempotency-Key a request that broke off can be sent again: the same bytes get the same id. What is refused, " +
      "or breaks off, leaves nothing.",
    parameters: [parameter("IdempotencyKey")],
    body: { "multipart/form-data": { schema: ref("NewFile"), encoding: { file: { contentType: ACCEPTED } } } },
    answers: { 201: created("Stored.", json(ref("CreatedFile"), { id: 1 })) },
    failures: [504, 507],
  },
  [`GET ${UPLOAD}`]: listRoute(
    {
      id: "listFiles",
      tag: TAG,
      summary: "List unused files",
      description: "Uploaded files that no operation has used yet, newest first.",
    },
    json(ref("FilePage"), { files: [EXAMPLE], next_cursor: null }),
  ),
  [`GET ${UPLOAD}/:id`]: readRoute(
    { id: "getFile", tag: TAG, summary: "Read what is known of a file" },
    "The file.",
    json(ref("File"), EXAMPLE),
  ),
  [`DELETE ${UPLOAD}/:id`]: deleteRoute(
    {
      id: "deleteFile",
      tag: TAG,
      summary: "Delete an unused file",
      description: "A used file is refused (400): it is deleted with its operation.",
    },
    [400],
  ),
};
