import { drawMark, findMarks, type Frame, markOf, type NamedMark } from "@hourglass/analysis/training";
import * as icons from "simple-icons";
import { createRandom } from "../random.js";
import { type Evaluation, type Metric, say, shareMetric } from "../report.js";
import { frameOf, type Photo } from "./photos.js";

/** Marks of simple-icons (CC0) of many shapes; the threshold was chosen with others. */
const ICONS = [
  icons.siAdidas,
  icons.siAndroid,
  icons.siAudi,
  icons.siDiscord,
  icons.siDocker,
  icons.siFirefoxbrowser,
  icons.siInstagram,
  icons.siNasa,
  icons.siPinterest,
  icons.siPlaystation,
  icons.siVolkswagen,
  icons.siYoutube,
] as const;
/** Sides as fractions of the photo's longer side. */
const SIDES = [0.09, 0.15, 0.25] as const;
/** Stated share of marks on a badge that are found, at each size. */
const ON_BADGE_STATED = 9 / 12;
/** Degrees. */
const TURN_MAX = 8;
/** In rotation. */
const BACKGROUNDS = ["sklearn-china.jpg", "darknet-horses.jpg", "skimage-coffee.png", "imagenet-castle.jpg"] as const;

/**
 * Evaluates how the marks of a company's gallery are found in photos that they are drawn into, and in photos without
 * any.
 */
export const evaluateMarks = async (folder: string, photos: readonly Photo[]): Promise<Evaluation> => {
  const marks = await Promise.all(ICONS.map(({ title, path, hex }) => markOf(title, svgOf(path, `#${hex}`))));
  const metrics: Metric[] = [];
  let others = 0;
  for (const badge of [true, false]) {
    for (const share of SIDES) {
      const found = await drawnMarks(folder, marks, { badge, share });
      others += found.others;
      const how = badge ? "colored on a white badge" : "white on the photo";
      const name = `marks found, ${share} of the longer side, ${how}`;
      metrics.push(shareMetric(name, found.right, marks.length, badge ? { stated: ON_BADGE_STATED } : {}));
    }
  }
  const drawings = 2 * SIDES.length * marks.length;
  const name = "drawings with other marks found instead or beside";
  metrics.push(shareMetric(name, others, drawings, { stated: 0, better: "lower" }));
  metrics.push(await falseMarks(folder, photos, marks));
  return { analysis: "logo-id, gallery of marks", method: "held-out photos", metrics };
};

const svgOf = (path: string, color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="240" height="240"><path fill="${color}" d="${path}"/></svg>`;

const drawnMarks = async (
  folder: string,
  marks: readonly NamedMark[],
  { badge, share }: { badge: boolean; share: number },
): Promise<{ right: number; others: number }> => {
  const random = createRandom(Math.round(share * 100));
  let [right, others] = [0, 0];
  for (const [at, { title, path, hex }] of ICONS.entries()) {
    const background = await frameOf(folder, { file: BACKGROUNDS[at % BACKGROUNDS.length]! });
    const svg = svgOf(path, badge ? `#${hex}` : "#ffffff");
    const turn = (random() * 2 - 1) * TURN_MAX;
    const found = await namesIn(
      await drawMark(background, { ...placeIn(background, share, random), svg, badge, turn }),
      marks,
    );
    if (found.includes(title)) right++;
    const wrong = found.filter((name) => name !== title);
    if (wrong.length === 0) continue;
    others++;
    say(`  ${title}: ${wrong.join(", ")}`);
  }
  return { right, others };
};

const placeIn = (
  { width, height }: Frame,
  share: number,
  random: () => number,
): { side: number; left: number; top: number } => {
  const side = Math.round(Math.max(width, height) * share);
  // A rotated mark with its badge is larger.
  const room = Math.ceil(side * 1.7);
  const margin = Math.ceil(side * 0.25);
  return {
    side,
    left: margin + Math.floor(random() * (width - room)),
    top: margin + Math.floor(random() * (height - room)),
  };
};

const falseMarks = async (folder: string, photos: readonly Photo[], marks: readonly NamedMark[]): Promise<Metric> => {
  const bare = photos.filter(({ logoFree, print }) => logoFree === true || print === false);
  let wrong = 0;
  for (const photo of bare) {
    const found = await namesIn(await frameOf(folder, photo), marks);
    if (found.length === 0) continue;
    wrong++;
    say(`  ${photo.file}: ${found.join(", ")}`);
  }
  return shareMetric("photos without a mark with a false one", wrong, bare.length, { stated: 0, better: "lower" });
};

const namesIn = async (frame: Frame, marks: readonly NamedMark[]): Promise<string[]> =>
  (await findMarks(frame, marks)).map(({ value }) => value);
