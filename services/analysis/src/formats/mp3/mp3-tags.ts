import { latin, peek, skip, take, uint32le, type Reading } from "../byte-reading.js";
import { damaged } from "../sentences.js";

const ID3V1_BYTES = 128;
const ID3V1_EXTENSION_BYTES = 227;
const APE_HEADER_BYTES = 32;
/** Of Lyrics3 version 1, including its end. */
const LYRICS_BYTES_MAX = 5200;
const LYRICS_BEGIN = "LYRICSBEGIN";
/** A field of Lyrics3 version 2: its name and its size in bytes. */
const LYRICS_FIELD = /^[A-Z0-9]{3}\d{5}$/;

/** Skips a tag of any kind that begins here; `head` is its first bytes. False if there is none. */
export function* skipTag(head: Uint8Array): Reading<boolean> {
  if (latin(head, 0, 3) === "ID3") {
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

/** ID3v2.2 to 2.4, www.id3.org. */
function* skipId3v2(): Reading<void> {
  const header = yield take(10);
  const [major, revision, flags] = [header[3]!, header[4]!, header[5]!];
  const size = header.subarray(6);
  if (major < 2 || major > 4 || revision === 0xff) throw damaged("mp3", "its ID3 tag has an unknown version");
  if (size.some((byte) => byte > 0x7f)) throw damaged("mp3", "the length of its ID3 tag is wrong");
  const bytes = (size[0]! << 21) | (size[1]! << 14) | (size[2]! << 7) | size[3]!;
  const footer = major === 4 && (flags & 0x10) !== 0;
  yield skip(bytes);
  if (footer && latin(yield take(10), 0, 3) !== "3DI") throw damaged("mp3", "the end of its ID3 tag is missing");
}

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
  if (end === -1) throw damaged("mp3", "the end of its lyrics is missing");
  yield skip(end + "LYRICSEND".length);
}
