import type { Frame } from "../../visual.js";
import type { TiltedBox } from "./tilted-box.js";

/** Input normalisation of a network: `(value / 255 - mean) / deviation`, in the order blue, green, red. */
export interface Normalisation {
  mean: readonly [number, number, number];
  deviation: readonly [number, number, number];
}

/** Planes of `rows` × `stride` numbers for blue, green and red, partly filled. */
export interface Planes {
  data: Float32Array;
  stride: number;
  rows: number;
}

/**
 * Draws the contents of a box of the frame, rotated upright and resized to `width` × `height`, into the top left of the
 * planes. Each value is the mean of a few bilinear samples, so that shrinking keeps thin strokes; outside the frame its
 * edge is repeated.
 */
export const straighten = (
  frame: Frame,
  box: TiltedBox,
  { width, height, normalisation }: { width: number; height: number; normalisation: Normalisation },
  planes: Planes,
): void => {
  const stepX = box.width / width;
  const stepY = box.height / height;
  const samplesX = samplesFor(stepX);
  const samplesY = samplesFor(stepY);
  const [cos, sin] = [Math.cos(box.angle), Math.sin(box.angle)];
  const sum = new Float64Array(3);
  const size = planes.stride * planes.rows;
  const scale = 1 / (255 * samplesX * samplesY);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      sum.fill(0);
      for (let sample = 0; sample < samplesX * samplesY; sample++) {
        const subX = ((sample % samplesX) + 0.5) / samplesX;
        const subY = (Math.floor(sample / samplesX) + 0.5) / samplesY;
        const along = (column + subX) * stepX - box.width / 2;
        const across = (row + subY) * stepY - box.height / 2;
        addColour(frame, box.x + along * cos - across * sin - 0.5, box.y + along * sin + across * cos - 0.5, sum);
      }
      const at = row * planes.stride + column;
      for (let plane = 0; plane < 3; plane++) {
        const { [plane]: mean = 0 } = normalisation.mean;
        const { [plane]: deviation = 1 } = normalisation.deviation;
        planes.data[plane * size + at] = (sum[2 - plane]! * scale - mean) / deviation;
      }
    }
  }
};

/** Number of samples along one side of a pixel that covers `step` pixels of the frame. */
const samplesFor = (step: number): number => Math.min(4, Math.max(1, Math.round(step)));

/** Adds red, green and blue interpolated between the four pixels around a point. */
const addColour = (frame: Frame, x: number, y: number, sum: Float64Array): void => {
  const [right, bottom] = [frame.width - 1, frame.height - 1];
  const insideX = Math.min(right, Math.max(0, x));
  const insideY = Math.min(bottom, Math.max(0, y));
  const left = Math.floor(insideX);
  const top = Math.floor(insideY);
  const [partX, partY] = [insideX - left, insideY - top];
  const rowA = top * frame.width;
  const rowB = Math.min(bottom, top + 1) * frame.width;
  const next = Math.min(right, left + 1);
  const { rgb } = frame;
  for (let channel = 0; channel < 3; channel++) {
    const a = rgb[(rowA + left) * 3 + channel]! * (1 - partX) + rgb[(rowA + next) * 3 + channel]! * partX;
    const b = rgb[(rowB + left) * 3 + channel]! * (1 - partX) + rgb[(rowB + next) * 3 + channel]! * partX;
    sum[channel] = sum[channel]! + a * (1 - partY) + b * partY;
  }
};
