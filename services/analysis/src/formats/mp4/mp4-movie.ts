import { latin, uint32, uint64, type Position, type Reading } from "../byte-reading.js";
import type { InspectionLimits } from "../limits.js";
import { UnacceptableFileError } from "../media-facts.js";
import { readChildren, readFields, readTable, type Box } from "./mp4-boxes.js";
import { readSampleTables } from "./mp4-samples.js";
import { createTrack, type Mp4Matrix, type Mp4Track } from "./mp4-track.js";
import { damaged } from "../sentences.js";

const TRACKS_MAX = 64;
const MATRIX_BYTES = 36;
/** Flag of a data reference to the same file. */
const SELF_CONTAINED = 1;

/** Contents of the movie box. */
export interface Mp4Movie {
  /** Time units per second of the movie. */
  timescale: number;
  /** In those units. */
  duration: number;
  /** Of the fragments that follow; in those units. */
  fragmentsDuration: number;
  matrix: Mp4Matrix;
  tracks: Mp4Track[];
  /** Whether fragments may follow. */
  fragmented: boolean;
  /** Defaults of fragment samples, by track. */
  defaults: FragmentDefaults[];
}

/** Default duration, in units of the media, and size in bytes of the samples of one track, by its id. */
export interface FragmentDefaults {
  id: number;
  duration: number;
  bytes: number;
}

/** Reads the movie box. ISO/IEC 14496-12, 8.2 to 8.8. */
export function* readMovie(moov: Box, at: Position, limits: InspectionLimits): Reading<Mp4Movie> {
  const movie: Mp4Movie = {
    timescale: 0,
    duration: 0,
    fragmentsDuration: 0,
    matrix: [1, 0, 0, 1],
    tracks: [],
    fragmented: false,
    defaults: [],
  };
  yield* readChildren(moov, at, {
    once: {
      *mvhd(box) {
        const fields = yield* readFields(box, at, 20, 112);
        ({ timescale: movie.timescale, duration: movie.duration } = timesOf(box, fields));
        const matrix = fields[0] === 1 ? 48 : 36;
        if (fields.length < matrix + MATRIX_BYTES) return;
        const [x, y] = axesOf(fields, matrix);
        movie.matrix = [...x, ...y];
      },
      mvex(box) {
        movie.fragmented = true;
        return readFragmentDefaults(box, at, movie);
      },
    },
    several: {
      *trak(box) {
        if (movie.tracks.length === TRACKS_MAX) throw damaged("mp4", `it has more than ${TRACKS_MAX} tracks`);
        movie.tracks.push(yield* readTrack(box, at, limits));
      },
    },
  });
  if (movie.timescale === 0) throw damaged("mp4", "the header of its movie is missing");
  return movie;
}

/** A duration of all ones means that it is unknown. */
const known = (duration: number, unknown: number): number => (duration >= unknown ? 0 : duration);

/** Times of a box that begins with version, creation and modification time, timescale and duration. */
function timesOf(box: Box, fields: Uint8Array): { timescale: number; duration: number } {
  const long = fields[0] === 1;
  if (long && fields.length < 32) throw damaged("mp4", `its part ${box.type} is too short`);
  const timescale = uint32(fields, long ? 20 : 12);
  if (timescale === 0) throw damaged("mp4", `its part ${box.type} has no unit of time`);
  const duration = long ? known(uint64(fields, 24), 2 ** 63) : known(uint32(fields, 16), 2 ** 32 - 1);
  return { timescale, duration };
}

function* readTrack(trak: Box, at: Position, limits: InspectionLimits): Reading<Mp4Track> {
  const track = createTrack();
  yield* readChildren(trak, at, {
    once: {
      tkhd: (box) => readTrackHeader(box, at, track),
      edts: (box) => readChildren(box, at, { once: { elst: (list) => readEdits(list, at, track) } }),
      mdia: (box) => readMedia(box, at, track, limits),
    },
  });
  return track;
}

function* readTrackHeader(box: Box, at: Position, track: Mp4Track): Reading<void> {
  const fields = yield* readFields(box, at, 84, 96);
  const long = fields[0] === 1;
  if (long && fields.length < 96) throw damaged("mp4", "its part tkhd is too short");
  track.id = uint32(fields, long ? 20 : 12);
  track.trackDuration = long ? known(uint64(fields, 28), 2 ** 63) : known(uint32(fields, 20), 2 ** 32 - 1);
  const matrix = long ? 52 : 40;
  [track.axis] = axesOf(fields, matrix);
  const [width, height] = [uint32(fields, matrix + MATRIX_BYTES), uint32(fields, matrix + MATRIX_BYTES + 4)];
  if (width > 0 && height > 0) track.aspect = width / height;
}

/** The directions, right and down, of the horizontal and the vertical axis in a matrix of 3 × 3 numbers. */
function axesOf(fields: Uint8Array, matrix: number): [x: [number, number], y: [number, number]] {
  const at = (index: number): number => uint32(fields, matrix + 4 * index) | 0;
  return [
    [at(0), at(1)],
    [at(3), at(4)],
  ];
}

function* readEdits(box: Box, at: Position, track: Mp4Track): Reading<void> {
  const head = yield* readFields(box, at, 8);
  const long = head[0] === 1;
  const table = { entries: uint32(head, 4), entryBytes: long ? 20 : 12 };
  yield* readTable(box, at, table, (piece, from) => {
    track.editedDuration += long ? uint64(piece, from) : uint32(piece, from);
  });
}

function* readMedia(mdia: Box, at: Position, track: Mp4Track, limits: InspectionLimits): Reading<void> {
  yield* readChildren(mdia, at, {
    once: {
      *mdhd(box) {
        const fields = yield* readFields(box, at, 20, 32);
        ({ timescale: track.timescale, duration: track.mediaDuration } = timesOf(box, fields));
      },
      *hdlr(box) {
        track.handler = latin(yield* readFields(box, at, 12), 8, 12);
      },
      minf: (minf) =>
        readChildren(minf, at, {
          once: {
            dinf: (dinf) => readChildren(dinf, at, { once: { dref: (dref) => checkReferences(dref, at) } }),
            stbl: (stbl) => readSampleTables(stbl, at, track, limits),
          },
        }),
    },
  });
}

/** Refuses references that would lead decoders to other files of the machine. */
function* checkReferences(dref: Box, at: Position): Reading<void> {
  yield* readFields(dref, at, 8);
  const check = function* (box: Box): Reading<void> {
    const flags = (yield* readFields(box, at, 4))[3]!;
    if ((flags & SELF_CONTAINED) !== 0) return;
    throw new UnacceptableFileError(
      "The MP4 file refers to data in other files. Save it as one file that has all of them.",
    );
  };
  yield* readChildren(dref, at, { once: {}, several: { "url ": check, "urn ": check, alis: check, rsrc: check } });
}

function* readFragmentDefaults(mvex: Box, at: Position, movie: Mp4Movie): Reading<void> {
  yield* readChildren(mvex, at, {
    once: {
      *mehd(box) {
        const fields = yield* readFields(box, at, 8, 12);
        const long = fields[0] === 1 && fields.length === 12;
        movie.fragmentsDuration = long ? known(uint64(fields, 4), 2 ** 63) : known(uint32(fields, 4), 2 ** 32 - 1);
      },
    },
    several: {
      *trex(box) {
        const fields = yield* readFields(box, at, 24);
        movie.defaults.push({ id: uint32(fields, 4), duration: uint32(fields, 12), bytes: uint32(fields, 16) });
      },
    },
  });
}
