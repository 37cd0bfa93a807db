import type uPlot from "uplot";
import type { StepState } from "../../data/overview.js";

/** How a series is told from others without color. */
export type Fill = "solid" | "hatched" | "dotted";

export interface PaintedSeries {
  readonly color: string;
  readonly fill: Fill;
  readonly values: readonly number[];
}

/** Steps without data, and why. */
export interface PaintedGap {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

export interface Picture {
  readonly series: readonly PaintedSeries[];
  readonly states: readonly StepState[];
  readonly gaps: readonly PaintedGap[];
  /** Steps with a sign above them. */
  readonly marks: readonly number[];
  /** Steps in which the search was changed, and what is written there. */
  readonly changes: readonly { readonly at: number; readonly text: string }[];
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly background: string;
  readonly font: string;
  readonly fontSize: number;
}

/** Part of a step that its bar takes. */
const BAR_PART = 0.78;
/** Below this width of a bar, in CSS pixels, a pattern would not be seen. */
const PATTERN_WIDTH_MIN = 4;

/** Draws stacked bars, gaps and marks into the plot. All bars begin at zero. */
export function paint(plot: uPlot, picture: Picture): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const x = (at: number): number => plot.valToPos(at, "x", true);
  const y = (value: number): number => plot.valToPos(value, "y", true);
  ctx.save();
  ctx.font = `${picture.fontSize * ratio}px ${picture.font}`;
  for (const gap of picture.gaps) paintGap(gap);
  const step = x(1) - x(0);
  const width = Math.max(1, step < 3 * ratio ? step : step * BAR_PART);
  const fills = picture.series.map(({ color, fill }) =>
    width < PATTERN_WIDTH_MIN * ratio
      ? color
      : (patternOf(ctx, { color, fill, background: picture.background, ratio }) ?? color),
  );
  picture.states.forEach((state, at) => {
    if (state !== "missing" && state !== "future") paintBar(at, state);
  });
  for (const { at, text } of picture.changes) paintChange(at, text);
  ctx.fillStyle = picture.text;
  ctx.textAlign = "center";
  ctx.textBaseline = "bottom";
  for (const at of picture.marks) ctx.fillText("▲", x(at), y(totalAt(at)) - 3 * ratio);
  ctx.textAlign = "start";
  ctx.textBaseline = "top";
  ctx.fillStyle = picture.muted;
  // Left of the first mark of the axis, which may stand below the first step.
  ctx.fillText(
    "UTC",
    Math.max(0, bbox.left - 64 * ratio),
    bbox.top + bbox.height + Math.max(8, picture.fontSize * 0.7) * ratio,
  );
  ctx.restore();

  function totalAt(at: number): number {
    return picture.series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
  }

  function paintBar(at: number, state: StepState): void {
    const left = Math.round(x(at) - width / 2);
    const right = Math.max(left + 1, Math.round(x(at) + width / 2));
    let below = 0;
    ctx.globalAlpha = state === "complete" ? 1 : 0.45;
    picture.series.forEach(({ values }, index) => {
      const value = values[at] ?? 0;
      if (value === 0) return;
      const [bottom, top] = [Math.round(y(below)), Math.round(y(below + value))];
      below += value;
      ctx.fillStyle = fills[index] ?? picture.text;
      // A line of the background between the parts of a bar.
      const gap = bottom - top > 3 * ratio && width > PATTERN_WIDTH_MIN * ratio ? ratio : 0;
      ctx.fillRect(left, top + gap, right - left, Math.max(1, bottom - top - gap));
    });
    ctx.globalAlpha = 1;
    if (state === "complete" || below === 0) return;
    ctx.strokeStyle = picture.text;
    ctx.lineWidth = ratio;
    ctx.setLineDash([3 * ratio, 2 * ratio]);
    const top = Math.round(y(below));
    if (right - left > PATTERN_WIDTH_MIN * ratio)
      ctx.strokeRect(left + ratio / 2, top + ratio / 2, right - left - ratio, y(0) - top);
    ctx.setLineDash([]);
  }

  function paintGap({ first, last, text }: PaintedGap): void {
    const left = x(first - 0.5);
    const across = x(last + 0.5) - left;
    ctx.fillStyle =
      patternOf(ctx, { color: picture.line, fill: "striped", background: picture.background, ratio }) ?? picture.line;
    ctx.fillRect(left, bbox.top, across, bbox.height);
    const written = ctx.measureText(text).width;
    if (written + 8 * ratio > across) return;
    const middle = left + across / 2;
    const at = bbox.top + bbox.height / 2;
    ctx.fillStyle = picture.background;
    ctx.fillRect(middle - written / 2 - 4 * ratio, at - 11 * ratio, written + 8 * ratio, 22 * ratio);
    ctx.fillStyle = picture.muted;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(text, middle, at);
  }

  let changesUntil = -Infinity;

  function paintChange(at: number, text: string): void {
    const across = Math.round(x(at - 0.5)) + ratio / 2;
    ctx.strokeStyle = picture.muted;
    ctx.lineWidth = ratio;
    ctx.setLineDash([2 * ratio, 4 * ratio]);
    ctx.beginPath();
    ctx.moveTo(across, bbox.top - 14 * ratio);
    ctx.lineTo(across, bbox.top + bbox.height);
    ctx.stroke();
    ctx.setLineDash([]);
    const wide = ctx.measureText(text).width + 4 * ratio;
    const left = across + wide > bbox.left + bbox.width ? across - wide : across + 4 * ratio;
    // One change after another has a line only: the sentence above the chart names them all.
    if (left < changesUntil) return;
    changesUntil = left + wide;
    ctx.fillStyle = picture.muted;
    ctx.textAlign = "start";
    ctx.textBaseline = "bottom";
    ctx.fillText(text, left, bbox.top - 4 * ratio);
  }
}

interface Pattern {
  readonly color: string;
  readonly fill: Fill | "striped";
  readonly background: string;
  readonly ratio: number;
}

/** A fill that is recognized without its color: hatched, dotted, or pale stripes for what is empty. */
function patternOf(ctx: CanvasRenderingContext2D, { color, fill, background, ratio }: Pattern): CanvasPattern | null {
  const size = Math.round(6 * ratio);
  const tile = new OffscreenCanvas(size, size);
  const pen = tile.getContext("2d");
  if (pen === null) return null;
  pen.fillStyle = fill === "striped" ? background : color;
  pen.fillRect(0, 0, size, size);
  pen.strokeStyle = fill === "striped" ? color : background;
  pen.fillStyle = background;
  pen.lineWidth = (fill === "striped" ? 1 : 1.4) * ratio;
  if (fill === "dotted") {
    for (const [at, down] of [
      [0.25, 0.25],
      [0.75, 0.75],
    ] as const) {
      pen.beginPath();
      pen.arc(at * size, down * size, ratio, 0, 2 * Math.PI);
      pen.fill();
    }
  } else if (fill !== "solid") {
    pen.globalAlpha = fill === "striped" ? 1 : 0.6;
    pen.beginPath();
    // Three lines, so that the tiles join without a seam.
    for (const shift of [-size, 0, size]) {
      pen.moveTo(shift - ratio, size + ratio);
      pen.lineTo(shift + size + ratio, -ratio);
    }
    pen.stroke();
  }
  return ctx.createPattern(tile, "repeat");
}
