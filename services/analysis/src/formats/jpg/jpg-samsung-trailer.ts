import { latin, scan, uint16le, uint32le, type Position, type Reading } from "../byte-reading.js";
import { damaged } from "../sentences.js";

/** Bytes kept from the end of the file: the directory of the trailer, which has a handful of entries. */
const DIRECTORY_BYTES_MAX = 4096;
/** Maximum gap between entries that is not described. */
const GAP_BYTES_MAX = 64;
const ENTRY_BYTES = 12;

/**
 * Whether a block of the trailer begins here, after two zeros: two bytes of its kind, the length of its name, and its
 * name. The layout is documented by ExifTool as "Samsung trailer".
 */
export function startsSamsungTrailer(head: Uint8Array): boolean {
  if (head.length < 8) return false;
  const length = uint32le(head, 2);
  return length > 0 && length <= 64 && /^[\w ]+$/.test(latin(head, 6, Math.min(head.length, 6 + length)));
}

/**
 * Reads to the end of the file; a directory at its end must describe all of it. The first two bytes, zeros, are already
 * consumed.
 */
export function* readSamsungTrailer(at: Position): Reading<void> {
  const start = at.position - 2;
  const tail = yield* readTail();
  const end = tail.length - 8;
  const directoryBytes = end < 12 ? 0 : uint32le(tail, end);
  const directory = end - directoryBytes;
  const known =
    latin(tail, end + 4, end + 8) === "SEFT" && directory >= 0 && latin(tail, directory, directory + 4) === "SEFH";
  if (!known || directoryBytes < 12) throw damaged("jpg", "something follows it that is no trailer of a camera");
  const entries = uint32le(tail, directory + 8);
  if (12 + entries * ENTRY_BYTES > directoryBytes) throw damaged("jpg", "the trailer behind its picture is damaged");
  const dataBytes = at.position - 8 - directoryBytes - start;
  let described = 0;
  for (let index = 0; index < entries; index++) {
    const entry = directory + 12 + index * ENTRY_BYTES;
    const [offset, length] = [uint32le(tail, entry + 4), uint32le(tail, entry + 8)];
    const inside = uint16le(tail, entry) === 0 && offset <= dataBytes && length <= offset;
    if (!inside) throw damaged("jpg", "the trailer behind its picture is damaged");
    described += length;
  }
  if (described > dataBytes || dataBytes - described > GAP_BYTES_MAX) {
    throw damaged("jpg", "the trailer behind its picture hides something");
  }
}

/** Skips to the end of the file and returns its last bytes, at most DIRECTORY_BYTES_MAX. */
function* readTail(): Reading<Uint8Array> {
  const kept = new Uint8Array(2 * DIRECTORY_BYTES_MAX);
  let length = 0;
  yield scan((piece) => {
    const last = piece.subarray(Math.max(0, piece.length - DIRECTORY_BYTES_MAX));
    if (length + last.length > kept.length) {
      kept.copyWithin(0, length - DIRECTORY_BYTES_MAX, length);
      length = DIRECTORY_BYTES_MAX;
    }
    kept.set(last, length);
    length += last.length;
    return piece.length;
  });
  return kept.subarray(Math.max(0, length - DIRECTORY_BYTES_MAX), length);
}
