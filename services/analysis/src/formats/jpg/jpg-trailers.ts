import { latin, peek, skip, skipZeros, take, uint32, type Position, type Reading } from "../byte-reading.js";
import { readJpgImage } from "./jpg-image.js";
import { readSamsungTrailer, startsSamsungTrailer } from "./jpg-samsung-trailer.js";
import type { InspectionLimits } from "../limits.js";
import { UnacceptableFileError } from "../media-facts.js";
import { damaged } from "../sentences.js";

/** Previews, depth and brightness maps: cameras append a few further pictures (CIPA DC-007, Multi-Picture Format). */
const IMAGES_MAX = 16;
/** Of a film after the picture. */
const BOXES_MAX = 10_000;

/**
 * Reads what follows the picture: zeros, further complete pictures, a film that the picture announces, or the trailer
 * of Samsung's cameras. Anything else may be a hidden file and is refused.
 */
export function* readJpgTrailers(filmAnnounced: boolean, limits: InspectionLimits, at: Position): Reading<void> {
  for (let images = 0; images <= IMAGES_MAX; images++) {
    const zeros = yield* skipZeros();
    const head = yield peek(32);
    if (head.length === 0) return;
    if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) {
      yield* readJpgImage(limits);
    } else if (filmAnnounced && zeros >= 3 && latin(head, 1, 5) === "ftyp") {
      return yield* readFilm();
    } else if (zeros >= 2 && startsSamsungTrailer(head)) {
      return yield* readSamsungTrailer(at);
    } else {
      throw new UnacceptableFileError(
        `Behind the picture, at byte ${at.position}, the file goes on with something else; another file may hide there. Save the picture anew.`,
      );
    }
  }
  throw damaged("jpg", `more than ${IMAGES_MAX} further pictures follow it`);
}

/**
 * Reads the boxes of an MP4 up to the end of the file; the first three bytes, zeros, are already consumed. The film is
 * never decoded.
 */
function* readFilm(): Reading<void> {
  const size = (yield take(5))[0]!;
  if (size < 8) throw damaged("jpg", "the film behind its picture is damaged");
  yield skip(size - 8);
  const seen = new Set<string>();
  for (let boxes = 0; (yield peek(1)).length > 0; boxes++) {
    const start = yield take(8);
    const bytes = uint32(start, 0);
    const type = latin(start, 4, 8);
    if (bytes < 8 || boxes > BOXES_MAX || !/^[\w ]{4}$/.test(type)) {
      throw damaged("jpg", "the film behind its picture is damaged");
    }
    seen.add(type);
    yield skip(bytes - 8);
  }
  if (!seen.has("moov") || !seen.has("mdat")) throw damaged("jpg", "the film behind its picture is damaged");
}
