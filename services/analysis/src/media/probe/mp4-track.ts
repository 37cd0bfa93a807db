import { latin, type Parser, skipUpTo, uint16, uint32, uint64 } from "./bytes.js";
import { checkPixels, type InspectionLimits, UnacceptableFileError } from "./facts.js";
import type { Box, Boxes, Visit } from "./mp4-boxes.js";

/** What the boxes of a track tell. */
export interface Mp4Track {
  id: number;
  /** "vide", "soun", or another type, which is ignored. */
  handler: string;
  /** Time units per second of the media. */
  timescale: number;
  /** In those units; of its fragments, too. */
  duration: number;
  /** The number of its samples, at least; those of fragments, too. */
  samples: number;
  /** Direction of the pictures' horizontal axis: right and down. */
  axis: readonly [number, number];
  /** Of the largest sample description, in pixels as stored. */
  width: number;
  height: number;
  /** Width of a pixel by its height, by the first sample description; undefined if that does not say. */
  pixelAspect: number | undefined;
  /** Width by height of the pictures as shown, before they are turned; undefined if the track's header does not say. */
  aspect: number | undefined;
  /** Of a sample in fragments, unless they say; in units of the media. */
  fragmentDuration: number;
  /** Where the first fragment begins, in units of the media. */
  begin: number;
}

/** A duration of all ones means that it is unknown. */
const known = (duration: number, unknown: number): number => (duration >= unknown ? 0 : duration);

/** Times of a box that begins with version, creation and modification time, timescale and duration. */
export function timesOf(fields: Uint8Array): { timescale: number; duration: number } {
  return fields[0] === 1
    ? { timescale: uint32(fields, 20), duration: known(uint64(fields, 24), 2 ** 63) }
    : { timescale: uint32(fields, 12), duration: known(uint32(fields, 16), 2 ** 32 - 1) };
}

/** Reads a track. ISO/IEC 14496-12, 8.3 to 8.7. */
export function* readTrack(boxes: Boxes, trak: Box, limits: InspectionLimits): Parser<Mp4Track> {
  const track: Mp4Track = {
    ...{ id: 0, handler: "", timescale: 0, duration: 0, samples: 0 },
    ...{ axis: [1, 0], width: 0, height: 0, pixelAspect: undefined, aspect: undefined },
    ...{ fragmentDuration: 0, begin: Infinity },
  };
  const within =
    (visits: Partial<Record<string, Visit>>): Visit =>
    (box) =>
      boxes.children(box, visits);
  const readSamples: Visit = function* (box) {
    track.samples = uint32(yield* boxes.fields(box, 12), 8);
  };
  yield* boxes.children(trak, {
    *tkhd(box) {
      const fields = yield* boxes.fields(box, 96);
      const [id, matrix] = fields[0] === 1 ? [20, 52] : [12, 40];
      track.id = uint32(fields, id);
      track.axis = [uint32(fields, matrix) | 0, uint32(fields, matrix + 4) | 0];
      const [width, height] = [uint32(fields, matrix + 36), uint32(fields, matrix + 40)];
      if (width > 0 && height > 0) track.aspect = width / height;
    },
    mdia: within({
      *mdhd(box) {
        ({ timescale: track.timescale, duration: track.duration } = timesOf(yield* boxes.fields(box, 32)));
      },
      *hdlr(box) {
        track.handler = latin(yield* boxes.fields(box, 12), 8, 12);
      },
      minf: within({
        dinf: within({ dref: (dref) => checkReferences(boxes, dref) }),
        stbl: within({
          stsd: (stsd) => readDescriptions(boxes, stsd, track, limits),
          stsz: readSamples,
          stz2: readSamples,
        }),
      }),
    }),
  });
  return track;
}

/** Flag of a data reference to the same file. */
const SELF_CONTAINED = 1;
const REFERENCES = new Set(["url ", "urn ", "alis", "rsrc"]);

/** Refuses references that would lead decoders to other files of the machine. */
function* checkReferences(boxes: Boxes, dref: Box): Parser<void> {
  yield* skipUpTo(8);
  yield* boxes.each(dref, function* (box) {
    if (!REFERENCES.has(box.type) || ((yield* boxes.fields(box, 4))[3]! & SELF_CONTAINED) !== 0) return;
    throw new UnacceptableFileError(
      "The MP4 file refers to data in other files. Save it as one file that has all of them.",
    );
  });
}

/** Sample entry types of encrypted tracks: common encryption, and Apple's. */
const ENCRYPTED = new Set(["encv", "enca", "drmi", "drms"]);
/** Fields of the description of a video, in front of its boxes. */
const DESCRIPTION_BYTES = 78;

function* readDescriptions(boxes: Boxes, stsd: Box, track: Mp4Track, limits: InspectionLimits): Parser<void> {
  yield* skipUpTo(8);
  yield* boxes.each(stsd, function* (entry) {
    if (ENCRYPTED.has(entry.type)) {
      throw new UnacceptableFileError(
        "The MP4 file is protected by a key and cannot be read. Send one without protection.",
      );
    }
    if (track.handler !== "vide") return;
    const fields = yield* boxes.fields(entry, 28);
    const size = { width: uint16(fields, 24), height: uint16(fields, 26) };
    checkPixels("video", size, limits);
    const isFirst = track.width === 0;
    track.width = Math.max(track.width, size.width);
    track.height = Math.max(track.height, size.height);
    if (!isFirst) return;
    yield* skipUpTo(Math.min(DESCRIPTION_BYTES, entry.end - boxes.at.position));
    yield* boxes.children(entry, {
      *pasp(box) {
        const fields = yield* boxes.fields(box, 8);
        const [across, down] = [uint32(fields, 0), uint32(fields, 4)];
        if (across > 0 && down > 0) track.pixelAspect = across / down;
      },
    });
  });
}

/** Sizes in headers are rounded. */
const ASPECT_TOLERANCE = 0.01;
/** Beyond this ratio it is no shape of a pixel. */
const ASPECT_MAX = 16;

/**
 * The size at which players show the pictures, turned by the movie's matrix (right and down of its two axes), and with
 * square pixels: one side is enlarged, so that no pixel is lost.
 */
export function shownSize(
  { width, height, axis: [right, down], pixelAspect, aspect }: Mp4Track,
  [xRight, xDown, yRight, yDown]: readonly [number, number, number, number],
): { width: number; height: number } {
  const declared = pixelAspect ?? (aspect === undefined ? 1 : (aspect * height) / width);
  const isPlausible = Math.abs(declared - 1) > ASPECT_TOLERANCE && declared < ASPECT_MAX && declared > 1 / ASPECT_MAX;
  const stretch = isPlausible ? declared : 1;
  const shown = [Math.round(width * Math.max(1, stretch)), Math.round(height / Math.min(1, stretch))] as const;
  const isSideways = Math.abs(right * xDown + down * yDown) > Math.abs(right * xRight + down * yRight);
  return isSideways ? { width: shown[1], height: shown[0] } : { width: shown[0], height: shown[1] };
}
