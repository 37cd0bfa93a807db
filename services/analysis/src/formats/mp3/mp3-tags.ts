import { latin, peek, skip, take, uint16le, uint32le, type Reading } from "../byte-reading.js";
import { otherKind, type InspectionLimits } from "../limits.js";

const ID3V1_BYTES = 128;
const ID3V1_EXTENSION_BYTES = 227;
const APE_HEADER_BYTES = 32;
/** Of Lyrics3 version 1, including its end. */
const LYRICS_BYTES_MAX = 5200;
const LYRICS_BEGIN = "LYRICSBEGIN";
/** Number of MPEG layer III in the header of a RIFF file. */
const RIFF_MP3 = 0x55;
/** A field of Lyrics3 version 2: its name and its size in bytes. */
const LYRICS_FIELD = /^[A-Z0-9]{3}\d{5}$/;

/** Skips a tag of any kind that begins here; `head` is its first bytes. False if there is none. */
export function* skipTag(head: Uint8Array): Reading<boolean> {
  if (isId3v2(head)) {
    yield* skipId3v2();
  } else if (latin(head, 0, 4) === "TAG+") {
    yield skip(ID3V1_EXTENSION_BYTES);
  } else if (latin(head, 0, 3) === "TAG") {
    yield skip(ID3V1_BYTES);
  } else if (latin(head, 0, 8) === "APETAGEX") {
    const header = yield take(APE_HEADER_BYTES);
    // The length excludes this header.
    yield skip(uint32le(header, 12));
  } else if (latin(head, 0, LYRICS_BEGIN.length) === LYRICS_BEGIN) {
    yield* skipLyrics();
  } else {
    return false;
  }
  return true;
}

/** ID3v2, www.id3.org; its size is in four bytes of seven bits. */
function isId3v2(head: Uint8Array): boolean {
  if (latin(head, 0, 3) !== "ID3" || head.length < 10) return false;
  return head[3] !== 0xff && head[4] !== 0xff && head.subarray(6, 10).every((byte) => byte < 0x80);
}

function* skipId3v2(): Reading<void> {
  const header = yield take(10);
  const size = header.subarray(6);
  const footer = header[3] === 4 && (header[5]! & 0x10) !== 0;
  yield skip((size[0]! << 21) | (size[1]! << 14) | (size[2]! << 7) | size[3]!);
  if (footer && latin(yield peek(3), 0, 3) === "3DI") yield skip(10);
}

/** Returns at the first byte that is not as it should be. */
function* skipLyrics(): Reading<void> {
  yield skip(LYRICS_BEGIN.length);
  for (;;) {
    const head = yield peek(15);
    if (latin(head, 6, 15) === "LYRICS200") {
      yield skip(15);
      return;
    }
    const field = latin(head, 0, 8);
    if (!LYRICS_FIELD.test(field)) break;
    yield skip(8 + Number(field.slice(3)));
  }
  const text = yield peek(LYRICS_BYTES_MAX);
  const end = latin(text, 0, text.length).indexOf("LYRICSEND");
  if (end !== -1) yield skip(end + "LYRICSEND".length);
}

/**
 * Skips what precedes the sound if the file is a RIFF. Throws UnacceptableFileError if that sound is not MPEG layer III.
 */
export function* skipRiffHeader(head: Uint8Array, limits: InspectionLimits): Reading<void> {
  const type = latin(head, 8, 12);
  if (latin(head, 0, 4) !== "RIFF" || (type !== "WAVE" && type !== "RMP3")) return;
  yield skip(12);
  let coding: number | undefined;
  for (;;) {
    const start = yield take(8);
    const [type, bytes] = [latin(start, 0, 4), uint32le(start, 4)];
    if (type === "fmt " && bytes >= 2) coding = uint16le(yield peek(2), 0);
    if (coding !== RIFF_MP3 && (type === "fmt " || type === "data")) throw otherKind("a WAV sound", limits);
    if (type === "data") return;
    yield skip(bytes + (bytes & 1));
  }
}
