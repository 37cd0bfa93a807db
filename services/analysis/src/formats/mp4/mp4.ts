import { latin, peek, scan, skip, skipUpTo, take, type Position, type Reading } from "../byte-reading.js";
import { checkDuration, otherKind, type InspectionLimits } from "../limits.js";
import { UnacceptableFileError, type ContentFacts } from "../media-facts.js";
import { beginsBox, readBox } from "./mp4-boxes.js";
import { readMovieFragment } from "./mp4-fragments.js";
import { readMovie, type Mp4Movie } from "./mp4-movie.js";
import { checkSamples, shownSize, trackSeconds, type Mp4Track } from "./mp4-track.js";
import { damaged, mebibytes } from "../sentences.js";

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
export function* readMp4(limits: InspectionLimits, at: Position): Reading<ContentFacts> {
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

function* readBrands(limits: InspectionLimits, at: Position): Reading<void> {
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
