import type { File } from "@hourglass/proto/media/v1/media_service";
import { toIso } from "@hourglass/runtime/json";
import { FILE_STATE, FILE_TYPE } from "./fields.js";

/** The record of an uploaded file. */
export function fromFile({ id, name, type, sizeBytes, width, height, ...file }: File): unknown {
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
