import { latin, peek, skip, uint16, uint32, uint64, type Position, type Reading } from "../byte-reading.js";
import { checkPixels, type InspectionLimits } from "../limits.js";
import { UnacceptableFileError } from "../media-facts.js";
import { readBox, readChildren, readFields, readTable, type Box, type Visit } from "./mp4-boxes.js";
import type { Mp4Track } from "./mp4-track.js";
import { damaged } from "../sentences.js";

/** Sample entry types of encrypted tracks: common encryption, and Apple's. */
const ENCRYPTED = new Set(["encv", "enca", "drmi", "drms"]);
const DESCRIPTIONS_MAX = 64;
/** Fields of the description of a video behind its size. */
const DESCRIPTION_REST_BYTES = 50;

/** Reads the tables with the positions, times and sizes of a track's samples. ISO/IEC 14496-12, 8.5 to 8.7. */
export function* readSampleTables(stbl: Box, at: Position, track: Mp4Track, limits: InspectionLimits): Reading<void> {
  const { samples } = track;
  const offsets = (entryBytes: number, read: (bytes: Uint8Array, at: number) => number): Visit =>
    function* (box) {
      if (samples.chunks > 0) throw damaged("mp4", "it says twice where its samples are");
      samples.chunks = uint32(yield* readFields(box, at, 8), 4);
      yield* readTable(box, at, { entries: samples.chunks, entryBytes }, (piece, from) => {
        samples.lastOffset = Math.max(samples.lastOffset, read(piece, from));
      });
    };
  yield* readChildren(stbl, at, {
    once: {
      stsd: (box) => readDescriptions(box, at, track, limits),
      *stts(box) {
        const entries = uint32(yield* readFields(box, at, 8), 4);
        yield* readTable(box, at, { entries, entryBytes: 8 }, (piece, from) => {
          samples.duration += uint32(piece, from) * uint32(piece, from + 4);
        });
      },
      stsz: (box) => readSizes(box, at, track),
      stz2: (box) => readCompactSizes(box, at, track),
      stco: offsets(4, uint32),
      co64: offsets(8, uint64),
    },
  });
}

function* readDescriptions(stsd: Box, at: Position, track: Mp4Track, limits: InspectionLimits): Reading<void> {
  const entries = uint32(yield* readFields(stsd, at, 8), 4);
  if (entries > DESCRIPTIONS_MAX)
    throw damaged("mp4", `it describes its samples in more than ${DESCRIPTIONS_MAX} ways`);
  for (; track.descriptions < entries; track.descriptions++) {
    const entry = yield* readBox(at, stsd.end);
    if (ENCRYPTED.has(entry.type)) {
      throw new UnacceptableFileError(
        "The MP4 file is protected by a key and cannot be read. Send one without protection.",
      );
    }
    if (track.handler === "vide") {
      const fields = yield* readFields(entry, at, 28);
      const size = { width: uint16(fields, 24), height: uint16(fields, 26) };
      checkPixels("video", size, limits);
      track.width = Math.max(track.width, size.width);
      track.height = Math.max(track.height, size.height);
      if (track.descriptions === 0) yield* readPixelAspect(entry, at, track);
    }
    yield skip(entry.end - at.position);
  }
}

/** Reads the boxes in the description of a video, as far as there are any. */
function* readPixelAspect(entry: Box, at: Position, track: Mp4Track): Reading<void> {
  const room = () => entry.end - at.position;
  if (room() < DESCRIPTION_REST_BYTES) return;
  yield skip(DESCRIPTION_REST_BYTES);
  while (room() >= 16) {
    const head = yield peek(16);
    const bytes = uint32(head, 0);
    if (bytes < 8 || bytes > room()) return;
    if (latin(head, 4, 8) === "pasp") {
      const [across, down] = [uint32(head, 8), uint32(head, 12)];
      if (across > 0 && down > 0) track.pixelAspect = across / down;
      return;
    }
    yield skip(bytes);
  }
}

function* readSizes(box: Box, at: Position, { samples }: Mp4Track): Reading<void> {
  const head = yield* readFields(box, at, 12);
  const size = uint32(head, 4);
  samples.count = uint32(head, 8);
  samples.bytes = size * samples.count;
  if (size > 0) return;
  yield* readTable(box, at, { entries: samples.count, entryBytes: 4 }, (piece, from) => {
    samples.bytes += uint32(piece, from);
  });
}

/** Sizes of 4, 8 or 16 bits; two sizes of 4 bits share a byte. */
function* readCompactSizes(box: Box, at: Position, { samples }: Mp4Track): Reading<void> {
  const head = yield* readFields(box, at, 12);
  const bits = head[7]!;
  samples.count = uint32(head, 8);
  if (bits === 16) {
    yield* readTable(box, at, { entries: samples.count, entryBytes: 2 }, (piece, from) => {
      samples.bytes += uint16(piece, from);
    });
  } else if (bits === 8 || bits === 4) {
    const entries = Math.ceil((samples.count * bits) / 8);
    yield* readTable(box, at, { entries, entryBytes: 1 }, (piece, from) => {
      samples.bytes += bits === 8 ? piece[from]! : (piece[from]! >> 4) + (piece[from]! & 0xf);
    });
  } else {
    throw damaged("mp4", "the sizes of its samples are in an unknown form");
  }
}
