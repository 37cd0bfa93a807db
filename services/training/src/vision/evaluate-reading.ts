import { editDistance, readWords } from "@hourglass/analysis/vision";
import { type Evaluation, type Metric, shareMetric } from "../evaluation.js";
import { errorRateOf, type Errors } from "../intervals.js";
import { say } from "../report.js";
import { drawn, type DrawnSentences, READABLE, UNREADABLE } from "./drawn-sentences.js";
import { frameOf, type Photo } from "./photos.js";

/** Character error rates that the card states; the others are only reported. */
const STATED: Readonly<Record<string, number>> = { "16 px, black on white": 0.03, "24 px, black on white": 0.03 };

/**
 * Evaluates the reading of words: errors on drawn sentences, lines of unknown scripts, and lines read where nothing is
 * printed.
 */
export const evaluateReading = async (folder: string, photos: readonly Photo[]): Promise<Evaluation> => {
  const metrics: Metric[] = [];
  for (const drawing of READABLE) metrics.push(await errorRate(folder, drawing));
  for (const drawing of UNREADABLE) metrics.push(await wrongLines(folder, drawing));
  metrics.push(await inventedLines(folder, photos));
  return { analysis: "reading", method: "drawn sentences, held-out photos", metrics };
};

/** Character edits divided by the number of drawn characters; spaces count. */
const errorRate = async (folder: string, drawing: DrawnSentences): Promise<Metric> => {
  const errors: Errors[] = [];
  for await (const { text, frame } of drawn(folder, drawing)) {
    const read = (await readWords(frame)).map((line) => line.text).join(" ");
    errors.push({ errors: Math.min(text.length, editDistance(text, read, text.length)), length: text.length });
  }
  const { [drawing.name]: stated } = STATED;
  return {
    name: `character error rate, ${drawing.name}`,
    ...errorRateOf(errors),
    better: "lower",
    ...(stated === undefined ? {} : { stated }),
  };
};

const wrongLines = async (folder: string, drawing: DrawnSentences): Promise<Metric> => {
  let [wrong, all] = [0, 0];
  for await (const { frame } of drawn(folder, drawing)) {
    all++;
    const lines = await readWords(frame);
    if (lines.length > 0) wrong++;
    for (const { text, prob } of lines) say(`  ${drawing.name}: "${text}", ${prob.toFixed(2)}`);
  }
  return shareMetric(`${drawing.name} sentences in which something is read`, wrong, all, { better: "lower" });
};

const inventedLines = async (folder: string, photos: readonly Photo[]): Promise<Metric> => {
  const bare = photos.filter(({ print }) => print === false);
  let wrong = 0;
  for (const photo of bare) {
    const lines = await readWords(await frameOf(folder, photo));
    if (lines.length > 0) wrong++;
    for (const { text, prob } of lines) say(`  ${photo.file}: "${text}", ${prob.toFixed(2)}`);
  }
  const name = "photos without print on which something is read";
  return shareMetric(name, wrong, bare.length, { stated: 0, better: "lower" });
};
