import { latin, type Parser, peek, type Position, skip, uint16, uint32, uint64 } from "./bytes.js";
import { turned } from "./exif.js";
import { checkPixels, damaged, type InspectionLimits, UnacceptableFileError } from "./facts.js";
import { type Box, readBox, readChildren, readFields, readTable, type Visit } from "./mp4-boxes.js";

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
interface FragmentDefaults {
  id: number;
  duration: number;
  bytes: number;
}

/** Reads the movie box. ISO/IEC 14496-12, 8.2 to 8.8. */
export function* readMovie(moov: Box, at: Position, limits: InspectionLimits): Parser<Mp4Movie> {
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

function* readTrack(trak: Box, at: Position, limits: InspectionLimits): Parser<Mp4Track> {
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

function* readTrackHeader(box: Box, at: Position, track: Mp4Track): Parser<void> {
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

function* readEdits(box: Box, at: Position, track: Mp4Track): Parser<void> {
  const head = yield* readFields(box, at, 8);
  const long = head[0] === 1;
  const table = { entries: uint32(head, 4), entryBytes: long ? 20 : 12 };
  yield* readTable(box, at, table, (piece, from) => {
    track.editedDuration += long ? uint64(piece, from) : uint32(piece, from);
  });
}

function* readMedia(mdia: Box, at: Position, track: Mp4Track, limits: InspectionLimits): Parser<void> {
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
function* checkReferences(dref: Box, at: Position): Parser<void> {
  yield* readFields(dref, at, 8);
  const check = function* (box: Box): Parser<void> {
    const flags = (yield* readFields(box, at, 4))[3]!;
    if ((flags & SELF_CONTAINED) !== 0) return;
    throw new UnacceptableFileError(
      "The MP4 file refers to data in other files. Save it as one file that has all of them.",
    );
  };
  yield* readChildren(dref, at, { once: {}, several: { "url ": check, "urn ": check, alis: check, rsrc: check } });
}

function* readFragmentDefaults(mvex: Box, at: Position, movie: Mp4Movie): Parser<void> {
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

/** Sample entry types of encrypted tracks: common encryption, and Apple's. */
const ENCRYPTED = new Set(["encv", "enca", "drmi", "drms"]);
const DESCRIPTIONS_MAX = 64;
/** Fields of the description of a video after its size. */
const DESCRIPTION_REST_BYTES = 50;

/** Reads the tables with the positions, times and sizes of a track's samples. ISO/IEC 14496-12, 8.5 to 8.7. */
function* readSampleTables(stbl: Box, at: Position, track: Mp4Track, limits: InspectionLimits): Parser<void> {
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

function* readDescriptions(stsd: Box, at: Position, track: Mp4Track, limits: InspectionLimits): Parser<void> {
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
function* readPixelAspect(entry: Box, at: Position, track: Mp4Track): Parser<void> {
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

function* readSizes(box: Box, at: Position, { samples }: Mp4Track): Parser<void> {
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
function* readCompactSizes(box: Box, at: Position, { samples }: Mp4Track): Parser<void> {
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

/** Sizes in headers are rounded. */
const ASPECT_TOLERANCE = 0.01;
/** Beyond this ratio it is no shape of a pixel. */
const ASPECT_MAX = 16;

/** Directions of the horizontal and the vertical axis, each to the right and down. */
type Mp4Matrix = readonly [number, number, number, number];

/** Facts about a track from its boxes, and from its fragments. */
export interface Mp4Track {
  id: number;
  /** "vide", "soun", or another type, which is ignored. */
  handler: string;
  /** Time units per second of the media. */
  timescale: number;
  /** In units of the media. */
  mediaDuration: number;
  /** In units of the movie: from the track's header, and the sum of its edits. */
  trackDuration: number;
  editedDuration: number;
  /** Direction of the pictures' horizontal axis: right and down. */
  axis: readonly [number, number];
  /** Of the largest sample description, in pixels as stored. */
  width: number;
  height: number;
  /** Width of a pixel by its height, by the first sample description; undefined if that does not say. */
  pixelAspect: number | undefined;
  /** Width by height of the pictures as shown, before they are turned; undefined if the track's header does not say. */
  aspect: number | undefined;
  /** Number of sample descriptions. */
  descriptions: number;
  samples: SampleTables;
  fragments: FragmentTotals;
}

/** Totals of the tables of a track. */
interface SampleTables {
  count: number;
  bytes: number;
  /** From the table of times, in units of the media. */
  duration: number;
  chunks: number;
  /** Offset of the last chunk; -1 if there is none. */
  lastOffset: number;
}

/** Totals of the fragments of a track. */
export interface FragmentTotals {
  count: number;
  bytes: number;
  /** Of all samples, in units of the media. */
  duration: number;
  /** Start of the first and end of the last, in units of the media, if fragments specify it. */
  from: number;
  to: number;
  /** Offset after the last byte of a sample. */
  lastEnd: number;
}

function createTrack(): Mp4Track {
  return {
    id: 0,
    handler: "",
    timescale: 0,
    mediaDuration: 0,
    trackDuration: 0,
    editedDuration: 0,
    axis: [1, 0],
    width: 0,
    height: 0,
    pixelAspect: undefined,
    aspect: undefined,
    descriptions: 0,
    samples: { count: 0, bytes: 0, duration: 0, chunks: 0, lastOffset: -1 },
    fragments: {
      count: 0,
      bytes: 0,
      duration: 0,
      from: Infinity,
      to: 0,
      lastEnd: 0,
    },
  };
}

/** Duration in seconds: the longest that the boxes declare. `movieTimescale`: time units per second of the movie. */
export function trackSeconds(track: Mp4Track, movieTimescale: number): number {
  const { fragments, samples } = track;
  const media = Math.max(
    track.mediaDuration,
    samples.duration + fragments.duration,
    fragments.to - Math.min(fragments.from, fragments.to),
  );
  return Math.max(media / track.timescale, Math.max(track.trackDuration, track.editedDuration) / movieTimescale);
}

/**
 * The size at which players show the pictures, turned by the movie's matrix (right and down of its two axes), and with
 * square pixels: one side is enlarged, so that no pixel is lost.
 */
export function shownSize(
  { width, height, axis: [right, down], pixelAspect, aspect }: Mp4Track,
  [xRight, xDown, yRight, yDown]: Mp4Matrix,
): { width: number; height: number } {
  const declared = pixelAspect ?? (aspect === undefined ? 1 : (aspect * height) / width);
  const isPlausible = Math.abs(declared - 1) > ASPECT_TOLERANCE && declared < ASPECT_MAX && declared > 1 / ASPECT_MAX;
  const stretch = isPlausible ? declared : 1;
  const size = {
    width: Math.round(width * Math.max(1, stretch)),
    height: Math.round(height / Math.min(1, stretch)),
  };
  const isSideways = Math.abs(right * xDown + down * yDown) > Math.abs(right * xRight + down * yRight);
  return turned(size, isSideways);
}

/** Whether the track has samples; if so, they must be within the file. */
export function checkSamples({ samples, fragments }: Mp4Track, fileBytes: number): boolean {
  const outside = samples.lastOffset >= fileBytes || fragments.lastEnd > fileBytes;
  if (outside) throw damaged("mp4", "its tables point to samples after the end of the file: a part of it is missing");
  const bytes = samples.bytes + fragments.bytes;
  if (bytes > fileBytes) {
    throw damaged("mp4", `its tables describe ${bytes} bytes of samples, but the whole file has ${fileBytes}`);
  }
  if (samples.count > 0 && samples.chunks === 0) throw damaged("mp4", "its tables do not say where its samples are");
  return samples.count + fragments.count > 0 && bytes > 0;
}
