import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { MediaFacts, MediaFormat } from "@hourglass/analysis/formats";
import { type FileSchema, FileState, FileType } from "@hourglass/proto/media/v1/media_service";
import type { FileRecord } from "./file-record.js";

type FileInit = MessageInitShape<typeof FileSchema>;

/** GIF is missing, because it cannot be uploaded. */
const TYPES: Partial<Record<MediaFormat, FileType>> = {
  png: FileType.PNG,
  jpg: FileType.JPG,
  mp3: FileType.MP3,
  mp4: FileType.MP4,
};

/** The file as callers read it. */
export function toFileMessage({ id, name, facts, state, createdAt, dueAt }: FileRecord): FileInit {
  const isUnused = state === "unused";
  return {
    id: BigInt(id),
    name,
    ...(facts === null ? {} : fromFacts(facts)),
    state: isUnused ? FileState.UNUSED : FileState.USED,
    createdAt: timestampFromMs(createdAt),
    ...(isUnused && dueAt !== null ? { expiresAt: timestampFromMs(dueAt) } : {}),
  };
}

function fromFacts({ format, sizeBytes, width, height, durationMs, hasSound }: MediaFacts): FileInit {
  return {
    type: TYPES[format] ?? FileType.UNSPECIFIED,
    sizeBytes: BigInt(sizeBytes),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(durationMs === undefined ? {} : { durationSeconds: durationMs / 1000 }),
    hasSound,
  };
}
