import type { MessageInitShape } from "@bufbuild/protobuf";
import { type File, type FileReadingSchema, FileType } from "@hourglass/proto/media/v1/media_service";
import { AppError } from "@hourglass/runtime";
import { toIso } from "@hourglass/runtime/json";
import { downloadReply, type Download } from "../http/download.js";
import { FILE_HEADERS } from "../http/headers.js";
import type { Reply } from "../http/reply.js";
import type { RouteContext } from "../http/route.js";

type Reading = MessageInitShape<typeof FileReadingSchema>;
interface ReadPart {
  readonly part:
    | { readonly case: "file"; readonly value: File }
    | { readonly case: "chunk"; readonly value: Uint8Array }
    | { readonly case: undefined; readonly value?: undefined };
}

/** Streams what the service has of a file: first its record, then what is read of it. */
export type ReadContent = (reading: Reading) => AsyncIterable<ReadPart>;

const TYPES: Readonly<Record<FileType, string>> = {
  [FileType.UNSPECIFIED]: "application/octet-stream",
  [FileType.PNG]: "image/png",
  [FileType.JPG]: "image/jpeg",
  [FileType.MP3]: "audio/mpeg",
  [FileType.MP4]: "video/mp4",
};

/** How the names of files of a type end; the first one is given to a name that ends otherwise. */
const ENDINGS: Readonly<Record<FileType, readonly string[]>> = {
  [FileType.UNSPECIFIED]: ["bin"],
  [FileType.PNG]: ["png"],
  [FileType.JPG]: ["jpg", "jpeg", "jpe", "jfif"],
  [FileType.MP3]: ["mp3"],
  [FileType.MP4]: ["mp4", "m4v", "m4a"],
};

/** What looks like the type of a file at the end of a name; a number such as that of a version is none. */
const ENDING = /\.(?=[a-z0-9]*[a-z])[a-z0-9]{1,5}$/i;

/** Characters that nobody sees; some turn the direction of a text, so that a name seems to end otherwise than it does. */
const UNSEEN = /[\p{Cc}\p{Cf}]/gu;

/** The name under which a file is saved: it ends as its bytes tell, whatever its uploader called it. */
function named({ id, name }: File, endings: readonly string[]): string {
  const given = name.replace(UNSEEN, "").trim();
  if (endings.some((ending) => given.toLowerCase().endsWith(`.${ending}`))) return given;
  return `${given.replace(ENDING, "") || `file-${id}`}.${endings[0] ?? ""}`;
}

/** The response with the bytes of a file or, with a width, with a small picture of it. */
export async function contentReply(context: RouteContext, read: ReadContent, width?: number): Promise<Reply> {
  const wanted = width === undefined ? {} : { width };
  const file = await fileOf(read({ infoOnly: true, ...wanted }));
  const bytes = width === undefined ? wholeFile(file, read) : smallPicture(file, read, width);
  const name = width === undefined ? named(file, ENDINGS[file.type]) : named(file, ["webp"]);
  const headers = ["Content-Disposition", inline(name)];
  const reply = await downloadReply(context.request.req, { ...bytes, isCompressible: false, headers });
  return { ...reply, baseHeaders: FILE_HEADERS };
}

type Bytes = Omit<Download, "isCompressible" | "headers">;

function wholeFile(file: File, read: ReadContent): Bytes {
  return {
    size: Number(file.sizeBytes),
    tag: tagOf(file),
    contentType: TYPES[file.type],
    read: ({ start, end } = { start: 0, end: 0 }) =>
      chunks(read({ offset: BigInt(start), length: BigInt(end - start) })),
  };
}

function smallPicture(file: File, read: ReadContent, width: number): Bytes {
  return {
    size: undefined,
    tag: `${tagOf(file)}-${width}`,
    contentType: "image/webp",
    read: () => chunks(read({ width })),
  };
}

/** The bytes of a file never change; the time tells apart those of a store that was restored. */
function tagOf({ id, createdAt }: File): string {
  return `file-${id}-${toIso(createdAt) ?? ""}`;
}

async function fileOf(parts: AsyncIterable<ReadPart>): Promise<File> {
  for await (const { part } of parts) if (part.case === "file") return part.value;
  throw new AppError("internal", "The file could not be read. Try again later.");
}

async function* chunks(parts: AsyncIterable<ReadPart>): AsyncGenerator<Uint8Array> {
  for await (const { part } of parts) if (part.case === "chunk" && part.value.length > 0) yield part.value;
}

/** To be shown, and saved under that name, which browsers read in its second form, and others in ASCII (RFC 6266). */
function inline(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%/]/gu, "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
