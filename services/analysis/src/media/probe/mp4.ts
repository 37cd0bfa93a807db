import { latin, type Parser, peek, type Position, scan, skip, skipUpTo, take, uint32, uint64 } from "./bytes.js";
import {
  checkDuration,
  type ContentFacts,
  damaged,
  type InspectionLimits,
  mebibytes,
  otherKind,
  UnacceptableFileError,
} from "./facts.js";
import { beginsBox, type Box, readBox, readChildren, readFields, readTable } from "./mp4-boxes.js";
import {
  checkSamples,
  type FragmentTotals,
  type Mp4Movie,
  type Mp4Track,
  readMovie,
  shownSize,
  trackSeconds,
} from "./mp4-movie.js";

/** Brands of the MP4 family, as major or compatible brand; the register is at mp4ra.org. */
const BRANDS =
  /^(?:isom|iso[2-9a-c]|mp4[12]|mp71|avc1|M4[ABPV] |M4V[HP]|f4[ab]v|[fF]4[ABVabv] |dash|msdh|msix|MSNV|cmf[cs2]|3g[2egprs][0-9a-z]|XAVC|NDS[CHMPSX])$/;
const BRANDS_BYTES_MAX = 4096;
/** Enough for the tables of a film of several hours. */
const MOVIE_BYTES_MAX = 64 * 2 ** 20;
/** Two per fragment, for fragments as short as a frame. */
const PARTS_MAX = 200_000;

/** Boxes of a film in fragments; one that is cut off is a part of the film that is missing. */
const FRAGMENT_BOXES = new Set([
  "emsg",
  "free",
  "mdat",
  "mfra",
  "moof",
  "moov",
  "prft",
  "sidx",
  "skip",
  "ssix",
  "styp",
]);
const BEFORE_BRANDS = new Set(["free", "skip", "uuid", "wide"]);
const BEFORE_BRANDS_BYTES_MAX = 1 << 20;

/**
 * Reads an MP4 with a movie box at any position, or with fragments, up to its last samples: whatever follows is none of
 * it. Further movie boxes are ignored, as players do.
 */
export function* readMp4(limits: InspectionLimits, at: Position): Parser<ContentFacts> {
  yield* readBrands(limits, at);
  let movie: Mp4Movie | undefined;
  for (let parts = 1; movie === undefined || !isWhole(movie, at.position); parts++) {
    if (parts > PARTS_MAX) throw damaged("mp4", `it has more than ${PARTS_MAX} parts`);
    const head = yield peek(8);
    if (head.length === 0) break;
    const inFragments = movie?.tracks.some(({ fragments }) => fragments.bytes > 0) === true;
    if (inFragments && !beginsBox(head)) break;
    const box = yield* readBox(at, Infinity);
    if (box.end === Infinity) {
      if (box.type !== "mdat") throw damaged("mp4", `its part ${box.type} does not say where it ends`);
      yield scan((piece) => piece.length);
      break;
    }
    if (box.type === "moov" && movie === undefined) {
      if (box.end - box.start > MOVIE_BYTES_MAX) {
        throw damaged("mp4", `its table of contents is larger than ${mebibytes(MOVIE_BYTES_MAX)}`);
      }
      movie = yield* readMovie(box, at, limits);
      contentOf(movie, limits);
    } else if (box.type === "moof") {
      if (movie === undefined) throw damaged("mp4", "a fragment comes before the table of contents");
      yield* readMovieFragment(box, at, movie);
      contentOf(movie, limits);
    }
    const rest = box.end - at.position;
    if (inFragments && !FRAGMENT_BOXES.has(box.type)) yield* skipUpTo(rest);
    else yield skip(rest);
  }
  if (movie === undefined) {
    throw damaged("mp4", "its table of contents (moov) is missing; the recording was cut off or is not the whole file");
  }
  return finalFacts(movie, limits, at.position);
}

function* readBrands(limits: InspectionLimits, at: Position): Parser<void> {
  let box = yield* readBox(at, Infinity);
  while (BEFORE_BRANDS.has(box.type)) {
    if (box.end > BEFORE_BRANDS_BYTES_MAX) throw otherKind(undefined, limits);
    yield skip(box.end - at.position);
    box = yield* readBox(at, Infinity);
  }
  if (box.type !== "ftyp") throw otherKind("a QuickTime film (MOV)", limits);
  if (box.end - box.start > BRANDS_BYTES_MAX) throw damaged("mp4", "it names too many kinds");
  const bytes = yield take(box.end - at.position);
  const brands = [latin(bytes, 0, 4)];
  if (brands[0] === "qt  ") throw otherKind("a QuickTime film (MOV)", limits);
  for (let from = 8; from + 4 <= bytes.length; from += 4) brands.push(latin(bytes, from, from + 4));
  if (brands.some((brand) => BRANDS.test(brand))) return;
  const kind = JSON.stringify(brands[0]);
  throw new UnacceptableFileError(
    `The file is of the kind ${kind}, which is related to MP4 but not accepted. Save it as MP4.`,
  );
}

/** Whether all samples of the tables lie before this position, and no fragments have more. */
function isWhole({ fragmented, tracks }: Mp4Movie, position: number): boolean {
  const filled = tracks.filter(({ samples }) => samples.chunks > 0);
  const bytes = filled.reduce((sum, { samples }) => sum + samples.bytes, 0);
  return (
    !fragmented &&
    filled.length > 0 &&
    bytes <= position &&
    filled.every(({ samples }) => samples.lastOffset < position)
  );
}

/** The relevant tracks, and the total duration in seconds as far as it is known. Refuses a file that is too long. */
function contentOf(movie: Mp4Movie, limits: InspectionLimits): { tracks: Mp4Track[]; seconds: number } {
  const tracks = movie.tracks.filter(({ handler }) => handler === "vide" || handler === "soun");
  if (tracks.length === 0) throw new UnacceptableFileError("The MP4 file has neither a video nor a sound track.");
  if (tracks.some(({ timescale }) => timescale === 0)) throw damaged("mp4", "the header of a track is missing");
  const seconds = Math.max(
    movie.duration / movie.timescale,
    movie.fragmentsDuration / movie.timescale,
    ...tracks.map((track) => trackSeconds(track, movie.timescale)),
  );
  checkDuration(tracks.some(({ handler }) => handler === "vide") ? "video" : "sound", 1000 * seconds, limits);
  return { tracks, seconds };
}

function finalFacts(movie: Mp4Movie, limits: InspectionLimits, fileBytes: number): ContentFacts {
  const { tracks, seconds } = contentOf(movie, limits);
  const filled = tracks.filter((track) => checkSamples(track, fileBytes));
  const bytes = filled.reduce((sum, track) => sum + track.samples.bytes + track.fragments.bytes, 0);
  if (bytes > fileBytes)
    throw damaged("mp4", `its tables describe ${bytes} bytes, but the whole file has ${fileBytes}`);
  if (filled.length === 0) throw damaged("mp4", "its tracks are empty");
  const video = filled.find(({ handler }) => handler === "vide");
  const facts: ContentFacts = {
    format: "mp4",
    durationMs: Math.round(1000 * seconds),
    hasSound: filled.some(({ handler }) => handler === "soun"),
    hasPictures: video !== undefined,
  };
  if (video === undefined) return facts;
  if (video.width === 0) throw damaged("mp4", "its video track does not say how large its pictures are");
  return { ...facts, ...shownSize(video, movie.matrix) };
}

/** Flags of a track fragment: the fields that it has. ISO/IEC 14496-12, 8.8.7. */
const FRAGMENT = { base: 0x1, description: 0x2, duration: 0x8, bytes: 0x10 };
/** Flags of a track run: the fields that it has, and those of each sample. 8.8.8. */
const RUN = { offset: 0x1, firstFlags: 0x4, duration: 0x100, bytes: 0x200, flags: 0x400, shift: 0x800 };

/** A track fragment while it is read. */
interface TrackFragment {
  totals: FragmentTotals;
  /** Of its samples, unless they have their own. */
  duration: number;
  bytes: number;
  /** Base of its offsets in the file. */
  base: number;
  /** Start of the next run unless the run specifies it. */
  next: number;
  /** Its start, in units of the media. */
  from: number | undefined;
  /** Duration of its samples so far. */
  lasted: number;
}

/** Reads a movie fragment and adds its samples to the tracks. */
function* readMovieFragment(moof: Box, at: Position, movie: Mp4Movie): Parser<void> {
  yield* readChildren(moof, at, {
    once: {},
    several: {
      *traf(traf) {
        let fragment: TrackFragment | undefined;
        yield* readChildren(traf, at, {
          once: {
            *tfhd(box) {
              fragment = yield* readHeader(box, at, moof.start, movie);
            },
            *tfdt(box) {
              const fields = yield* readFields(box, at, 8, 12);
              const long = fields[0] === 1 && fields.length === 12;
              const from = long ? uint64(fields, 4) : uint32(fields, 4);
              if (fragment !== undefined) fragment.from = from;
            },
          },
          several: {
            *trun(box) {
              if (fragment === undefined) throw damaged("mp4", "a fragment has samples before its header");
              yield* readRun(box, at, fragment);
            },
          },
        });
        if (fragment !== undefined) addUp(fragment);
      },
    },
  });
}

/** Bits 8 to 31 of the first four bytes. */
const flagsOf = (fields: Uint8Array): number => uint32(fields, 0) & 0xffffff;

function* readHeader(tfhd: Box, at: Position, moofStart: number, movie: Mp4Movie): Parser<TrackFragment> {
  const head = yield* readFields(tfhd, at, 8);
  const flags = flagsOf(head);
  const id = uint32(head, 4);
  const track = movie.tracks.find((one) => one.id === id);
  if (track === undefined) throw damaged("mp4", `a fragment belongs to the track ${id}, which does not exist`);
  const defaults = movie.defaults.find((one) => one.id === id);
  const fragment: TrackFragment = {
    totals: track.fragments,
    duration: defaults?.duration ?? 0,
    bytes: defaults?.bytes ?? 0,
    base: moofStart,
    next: moofStart,
    from: undefined,
    lasted: 0,
  };
  if ((flags & FRAGMENT.base) !== 0) fragment.base = uint64(yield* readFields(tfhd, at, 8), 0);
  if ((flags & FRAGMENT.description) !== 0) yield* readFields(tfhd, at, 4);
  if ((flags & FRAGMENT.duration) !== 0) fragment.duration = uint32(yield* readFields(tfhd, at, 4), 0);
  if ((flags & FRAGMENT.bytes) !== 0) fragment.bytes = uint32(yield* readFields(tfhd, at, 4), 0);
  fragment.next = fragment.base;
  return fragment;
}

function* readRun(trun: Box, at: Position, fragment: TrackFragment): Parser<void> {
  const head = yield* readFields(trun, at, 8);
  const flags = flagsOf(head);
  const entries = uint32(head, 4);
  if ((flags & RUN.offset) !== 0) fragment.next = fragment.base + (uint32(yield* readFields(trun, at, 4), 0) | 0);
  if ((flags & RUN.firstFlags) !== 0) yield* readFields(trun, at, 4);
  const bytesAt = (flags & RUN.duration) === 0 ? 0 : 4;
  const fields = [RUN.duration, RUN.bytes, RUN.flags, RUN.shift].filter((field) => (flags & field) !== 0).length;
  let bytes = (flags & RUN.bytes) === 0 ? entries * fragment.bytes : 0;
  if ((flags & RUN.duration) === 0) fragment.lasted += entries * fragment.duration;
  if (fields > 0) {
    yield* readTable(trun, at, { entries, entryBytes: 4 * fields }, (piece, from) => {
      if ((flags & RUN.duration) !== 0) fragment.lasted += uint32(piece, from);
      if ((flags & RUN.bytes) !== 0) bytes += uint32(piece, from + bytesAt);
    });
  }
  const { totals } = fragment;
  totals.count += entries;
  totals.bytes += bytes;
  fragment.next += bytes;
  if (entries > 0) totals.lastEnd = Math.max(totals.lastEnd, fragment.next);
}

function addUp({ totals, from, lasted }: TrackFragment): void {
  totals.duration += lasted;
  const start = from ?? totals.to;
  totals.from = Math.min(totals.from, start);
  totals.to = Math.max(totals.to, start + lasted);
}
