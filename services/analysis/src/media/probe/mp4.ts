import { latin, type Parser, type Position, skipUpTo, uint32, uint64 } from "./bytes.js";
import {
  checkDuration,
  type ContentFacts,
  damaged,
  type InspectionLimits,
  otherKind,
  UnacceptableFileError,
} from "./facts.js";
import { type Box, Boxes } from "./mp4-boxes.js";
import { type Mp4Track, readTrack, shownSize, timesOf } from "./mp4-track.js";

const TRACKS_MAX = 64;
const BEFORE_BRANDS_BYTES_MAX = 1 << 20;

/** What the boxes of a movie tell. */
interface Mp4Movie {
  seconds: number;
  /** The directions of its axes, right and down of each. */
  axes: readonly [number, number, number, number];
  tracks: Mp4Track[];
}

/**
 * Reads an MP4 with a movie box at any position, or with fragments. What is no box is passed over, further movie boxes
 * are ignored, and samples may be missing: players play what there is.
 *
 * The package `music-metadata` reads the same boxes, but does not tell the size of pictures, or the length of films
 * without sound, and says of these that they have some.
 */
export function* readMp4(limits: InspectionLimits, at: Position): Parser<ContentFacts> {
  const boxes = new Boxes(at);
  const found: { branded: boolean; movie: Mp4Movie | undefined } = { branded: false, movie: undefined };
  yield* boxes.each({ end: Infinity }, function* (box) {
    if (box.type === "ftyp" && !found.branded) {
      found.branded = true;
      if (latin(yield* boxes.fields(box, 4), 0, 4) === "qt  ") throw otherKind("MOV", limits);
    } else if (!found.branded) {
      // A text may look like a box of an extraordinary length.
      if (box.end > BEFORE_BRANDS_BYTES_MAX) throw otherKind(undefined, limits);
      if (box.type === "moov" || box.type === "mdat") throw otherKind("MOV", limits);
    } else if (box.type === "moov" && found.movie === undefined) {
      found.movie = yield* readMovie(boxes, box, limits);
      checkLength(found.movie, limits);
    } else if (box.type === "moof" && found.movie !== undefined) {
      yield* readFragment(boxes, box, found.movie);
      checkLength(found.movie, limits);
    }
  });
  const { branded, movie } = found;
  if (!branded) throw otherKind(undefined, limits);
  if (movie === undefined) {
    throw damaged("mp4", "its table of contents (moov) is missing; the recording was cut off or is not the whole file");
  }
  return factsOf(movie);
}

function* readMovie(boxes: Boxes, moov: Box, limits: InspectionLimits): Parser<Mp4Movie> {
  const movie: Mp4Movie = { seconds: 0, axes: [1, 0, 0, 1], tracks: [] };
  const defaults = new Map<number, number>();
  yield* boxes.children(moov, {
    *mvhd(box) {
      const fields = yield* boxes.fields(box, 112);
      const { timescale, duration } = timesOf(fields);
      movie.seconds = timescale === 0 ? 0 : duration / timescale;
      const matrix = fields[0] === 1 ? 48 : 36;
      const axis = (index: number) => uint32(fields, matrix + 4 * index) | 0;
      movie.axes = [axis(0), axis(1), axis(3), axis(4)];
    },
    *trak(box) {
      if (movie.tracks.length === TRACKS_MAX) throw damaged("mp4", `it has more than ${TRACKS_MAX} tracks`);
      movie.tracks.push(yield* readTrack(boxes, box, limits));
    },
    *mvex(box) {
      yield* boxes.children(box, {
        *trex(one) {
          const fields = yield* boxes.fields(one, 16);
          defaults.set(uint32(fields, 4), uint32(fields, 12));
        },
      });
    },
  });
  if (moov.end !== Infinity && boxes.at.position < moov.end)
    throw damaged("mp4", "its table of contents (moov) is cut off");
  for (const track of movie.tracks) track.fragmentDuration = defaults.get(track.id) ?? 0;
  return movie;
}

/** Refuses a file that is too long. */
function checkLength(movie: Mp4Movie, limits: InspectionLimits): void {
  const isFilm = movie.tracks.some(({ handler }) => handler === "vide");
  checkDuration(isFilm ? "video" : "sound", durationMs(movie), limits);
}

const durationMs = ({ seconds, tracks }: Mp4Movie): number =>
  Math.round(1000 * Math.max(seconds, ...tracks.map((track) => track.duration / Math.max(1, track.timescale))));

function factsOf(movie: Mp4Movie): ContentFacts {
  const tracks = movie.tracks.filter(({ handler }) => handler === "vide" || handler === "soun");
  if (tracks.length === 0) throw new UnacceptableFileError("The MP4 file has neither a video nor a sound track.");
  const filled = tracks.filter(({ samples }) => samples > 0);
  if (filled.length === 0) throw damaged("mp4", "its tracks are empty");
  const video = filled.find(({ handler }) => handler === "vide");
  const facts: ContentFacts = {
    format: "mp4",
    durationMs: durationMs(movie),
    hasSound: filled.some(({ handler }) => handler === "soun"),
    hasPictures: video !== undefined,
  };
  return video === undefined ? facts : { ...facts, ...shownSize(video, movie.axes) };
}

/** Flags of a track fragment: the fields that it has. ISO/IEC 14496-12, 8.8.7. */
const FRAGMENT = { base: 0x1, description: 0x2, duration: 0x8 };
/** Flags of a track run: the fields that it has, and those of each sample. 8.8.8. */
const RUN = { offset: 0x1, firstFlags: 0x4, duration: 0x100, bytes: 0x200, flags: 0x400, shift: 0x800 };

/** Bits 8 to 31 of the first four bytes. */
const flagsOf = (fields: Uint8Array): number => uint32(fields, 0) & 0xffffff;

/** Adds the length of the samples of a movie fragment to their tracks. */
function* readFragment(boxes: Boxes, moof: Box, movie: Mp4Movie): Parser<void> {
  yield* boxes.children(moof, {
    *traf(traf) {
      let track: Mp4Track | undefined;
      let sampleDuration = 0;
      yield* boxes.children(traf, {
        *tfhd(box) {
          const fields = yield* boxes.fields(box, 24);
          const flags = flagsOf(fields);
          track = movie.tracks.find(({ id }) => id === uint32(fields, 4));
          const at = 8 + ((flags & FRAGMENT.base) === 0 ? 0 : 8) + ((flags & FRAGMENT.description) === 0 ? 0 : 4);
          sampleDuration = (flags & FRAGMENT.duration) === 0 ? (track?.fragmentDuration ?? 0) : uint32(fields, at);
        },
        *tfdt(box) {
          const fields = yield* boxes.fields(box, 12);
          const start = fields[0] === 1 ? uint64(fields, 4) : uint32(fields, 4);
          if (track === undefined) return;
          // A part of a broadcast need not begin at zero.
          track.begin = Math.min(track.begin, start);
          track.duration = Math.max(track.duration, start - track.begin);
        },
        *trun(box) {
          const fields = yield* boxes.fields(box, 8);
          const entries = uint32(fields, 4);
          if (track === undefined) return;
          track.samples += entries;
          track.duration += yield* readRun(boxes, box, { flags: flagsOf(fields), entries, sampleDuration });
        },
      });
    },
  });
}

/** The length of a run of samples. */
function* readRun(
  boxes: Boxes,
  trun: Box,
  { flags, entries, sampleDuration }: { flags: number; entries: number; sampleDuration: number },
): Parser<number> {
  if ((flags & RUN.duration) === 0) return entries * sampleDuration;
  yield* skipUpTo(8 + ((flags & RUN.offset) === 0 ? 0 : 4) + ((flags & RUN.firstFlags) === 0 ? 0 : 4));
  const fields = [RUN.duration, RUN.bytes, RUN.flags, RUN.shift].filter((field) => (flags & field) !== 0);
  let [duration, left] = [0, entries];
  yield* boxes.table(trun, 4 * fields.length, (piece, from) => {
    if (left-- > 0) duration += uint32(piece, from);
  });
  return duration;
}
