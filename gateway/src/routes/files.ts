import {
  CreateFileLinkRequestSchema,
  FileMetadataSchema,
  FileSchema,
  FileStateSchema,
  FileTypeSchema,
  ListFilesRequestSchema,
  ListFilesResponseSchema,
  ReadContentRequestSchema,
  ReadLinkedFileRequestSchema,
} from "@hourglass/proto/media/v1/media_service";
import { AppError, lengthMaxOf } from "@hourglass/runtime";
import { Spelling, toIso } from "@hourglass/runtime/json";
import * as z from "zod";
import type { GatewaySettings } from "../config.js";
import { originOf } from "../http/client-address.js";
import { creationReply, jsonReply } from "../http/reply.js";
import { route, type Endpoint, type Input, type RouteContext } from "../http/route.js";
import type { IncomingFile } from "../http/upload.js";
import type { Clients } from "../services.js";
import { ACCEPT_RANGES, aDeletion, aPage, aRecord, CONTENT_RANGE, created, json, pageOf, textOf } from "./answers.js";
import { writerOf } from "./conversion.js";
import { contentReply } from "./file-content.js";
import { messageOf } from "./input.js";
import { OPERATIONS } from "./operations.js";
import { CREATED_BY_EXAMPLE, CreatedBy } from "./created-by.js";
import * as s from "./schema.js";

/** Path of uploads and of the records of uploaded files. */
export const UPLOAD = `${OPERATIONS}/upload`;

/** Path of the links of files, each followed by its token. */
const FILE_LINKS = `${UPLOAD}/links`;

const NewFile = s.object("NewFile", {
  file: s.text("The file, with a file name. 100 MiB, 40 megapixels and 15 minutes at most, unless configured.", {
    format: "binary",
  }),
});

const CreatedFile = s.object("CreatedFile", { id: s.recordId("Id of the new file.") });

const SHOWN = "Pixels as shown, turned as viewers and players turn it. Null without pictures.";

const File = s.response("StoredFile", FileSchema, {
  id: s.recordId("Id of the file, for `contents` of an operation."),
  name: s.text("As you named it; a longer name is cut.", { maxLength: lengthMaxOf(FileMetadataSchema, "name") }),
  type: s.spelled(new Spelling(FileTypeSchema), "As its bytes tell."),
  size: s.from("size_bytes", s.integer("Bytes.", { format: "int64", minimum: 1 })),
  width: s.nullable(s.integer(SHOWN, { minimum: 1 })),
  height: s.nullable(s.integer(SHOWN, { minimum: 1 })),
  duration: s.from(
    "duration_seconds",
    s.nullable(s.number("Seconds of sound or video. Null for pictures.", { minimum: 0 })),
  ),
  has_sound: s.boolean("Whether it has a track of sound."),
  state: s.spelled(
    new Spelling(FileStateSchema),
    "`unused`: free for an operation. `used`: an operation has it, with which it is deleted.",
  ),
  created_at: s.moment("When its upload began."),
  created_by: s.nullable(CreatedBy),
  expires_at: s.nullable(s.moment("When it is deleted unless an operation uses it. Null once one does.")),
});

const Link = s.object("FileLink", {
  url: s.text("Where the file can be seen or heard without an access token.", { format: "uri" }),
  expires_at: s.moment("When it stops working."),
});

const LINK_EXAMPLE = {
  url: "https://hourglass.example.com/api/v2/products/api/operations/upload/links/5-1-1769861100.c2lnbmF0dXJl",
  expires_at: "2026-01-31T12:05:00.000Z",
};

const CONTENT_TEXT =
  "The bytes as they were uploaded, with their own type, or with `width` a WebP of the picture as shown, or of the first " +
  "picture of a film. A browser runs nothing in it. 400 for a `width` of a file without pictures.";

const PreviewWidth = z.number().meta({
  id: "PreviewWidth",
  type: "integer",
  enum: [64, 256, 1024],
  description: "A WebP at most so many pixels wide, instead of the file; a smaller picture keeps its size.",
});

const PREVIEW = { width: s.from("reading.width", s.optional(PreviewWidth)) };

const BINARY = { format: "binary" };
const CONTENT = {
  ...textOf("image/png", undefined, BINARY),
  ...textOf("image/jpeg", undefined, BINARY),
  ...textOf("audio/mpeg", undefined, BINARY),
  ...textOf("video/mp4", undefined, BINARY),
};
const CONTENT_HEADERS = {
  ETag: { description: "The bytes of a file never change.", schema: { type: "string" } },
  "Content-Disposition": { description: "`inline`, with the name of the file.", schema: { type: "string" } },
  ...ACCEPT_RANGES,
};

const A_CONTENT = {
  headers: ["Range"],
  answers: {
    200: {
      description: "The file, or a small picture.",
      content: { ...CONTENT, ...textOf("image/webp", "With `width`.", BINARY) },
      headers: CONTENT_HEADERS,
    },
    206: {
      description: "The range that was asked for.",
      content: CONTENT,
      headers: {
        ...CONTENT_HEADERS,
        ...CONTENT_RANGE,
      },
    },
  },
  failures: [400, 404, 416],
} as const;

/** Bounded by the client's pace, which is checked elsewhere. */
const READ_TIMEOUT_MS = 3_600_000;

function downloading(context: RouteContext) {
  return { ...context.options(READ_TIMEOUT_MS), signal: context.request.clientLeft };
}

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
  created_by: CREATED_BY_EXAMPLE,
  created_at: "2026-01-31T12:00:00.000Z",
  expires_at: "2026-02-07T12:00:01.000Z",
};

const writeFile = writerOf(File);
const ACCEPTED = "image/png, image/jpeg, audio/mpeg, video/mp4";

/** Uploading, reading, listing and deleting the files for operations. */
export function fileRoutes(media: Clients["media"], { uploadBytesMax }: Required<GatewaySettings>): Endpoint[] {
  const base = { tag: "Operations", access: "api" } as const;
  return [
    route(`POST ${UPLOAD}`, "uploadFile", "Upload a file", {
      ...base,
      record: "file",
      description:
        "PNG, JPG, MP3 or MP4, whole, in exactly one part named `file`; the bytes tell which, not the name. Other fields are ignored. " +
        "The id is usable in one operation, with which the file is deleted; an unused file is deleted after some days. " +
        "With an Idempotency-Key a request that broke off can be sent again: the same bytes get the same id. What is refused, " +
        "or breaks off, leaves nothing.",
      body: "multipart",
      input: KEY,
      content: { "multipart/form-data": { schema: NewFile, encoding: { file: { contentType: ACCEPTED } } } },
      answers: { 201: created("Stored.", json(CreatedFile, { id: 1 })) },
      failures: [504, 507],
      handle: async (context, idempotencyKey) => {
        // Loaded here, because the parser of forms brings large tables that nothing else needs.
        const { receiveFile } = await import("../http/upload.js");
        const { id, replayed } = await receiveFile(context.request, uploadBytesMax, (file, signal) =>
          media.uploadFile(messages(file, idempotencyKey), context.streamOptions(signal)),
        );
        context.concerns(id);
        return creationReply(201, { id: Number(id) }, { replayed, location: `${UPLOAD}/${id}` });
      },
    }),
    route(`GET ${UPLOAD}`, "listFiles", "List unused files", {
      ...base,
      ...aPage({
        desc: ListFilesRequestSchema,
        page: pageOf("FilePage", ListFilesResponseSchema, { files: s.list(File) }),
        get: (request, options) => media.listFiles(request, options),
        example: { files: [EXAMPLE], next_cursor: null },
      }),
      description: "Uploaded files that no operation has used yet, newest first.",
    }),
    route(`GET ${UPLOAD}/:id`, "getFile", "Read what is known of a file", {
      ...base,
      record: "file",
      ...aRecord("The file.", json(File, EXAMPLE)),
      handle: async (context) => {
        const { file } = await media.getFile({ id: context.pathId }, context.options());
        if (file === undefined) throw new AppError("internal", "The file could not be read. Try again later.");
        return jsonReply(200, writeFile(file));
      },
    }),
    route(`GET ${UPLOAD}/:id/content`, "readFileContent", "See or hear a file", {
      ...base,
      record: "file",
      description: CONTENT_TEXT,
      ...A_CONTENT,
      input: messageOf(ReadContentRequestSchema, { query: s.request(ReadContentRequestSchema, PREVIEW) }),
      handle: (context, { id = 0n, reading: wanted }) =>
        contentReply(context, (reading) => media.readContent({ id, reading }, downloading(context)), wanted?.width),
    }),
    route(`POST ${UPLOAD}/:id/links`, "createFileLink", "Get a link to a file", {
      ...base,
      record: "file",
      description:
        "The link works for 5 minutes without an access token, for pages of a browser; `?width=` may follow it.",
      input: messageOf(CreateFileLinkRequestSchema, { isKeyed: true }),
      answers: { 201: { description: "The link.", content: json(Link, LINK_EXAMPLE) } },
      failures: [404],
      handle: async (context, request) => {
        const { token, expiresAt, replayed } = await media.createFileLink(request, context.options());
        const url = `${originOf(context.request)}${FILE_LINKS}/${token}`;
        return creationReply(201, { url, expires_at: toIso(expiresAt) }, { replayed });
      },
    }),
    route(`GET ${FILE_LINKS}/:token`, "readLinkedFile", "See or hear a file by a link", {
      tag: "Operations",
      access: "open",
      description: `404 if the link has been changed or has expired, or the file was deleted. ${CONTENT_TEXT}`,
      ...A_CONTENT,
      input: messageOf(ReadLinkedFileRequestSchema, { query: s.request(ReadLinkedFileRequestSchema, PREVIEW) }),
      handle: (context, { reading: wanted }) => {
        const token = context.pathToken;
        return contentReply(
          context,
          (reading) => media.readLinkedFile({ token, reading }, downloading(context)),
          wanted?.width,
        );
      },
    }),
    route(`DELETE ${UPLOAD}/:id`, "deleteFile", "Delete an unused file", {
      ...base,
      record: "file",
      description: "A used file is refused (400): it is deleted with its operation.",
      ...aDeletion((file, options) => media.deleteFile(file, options)),
      failures: [400, 404],
    }),
  ];
}

const KEY: Input<string> = { isKeyed: true, read: (context) => context.idempotencyKey };

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
