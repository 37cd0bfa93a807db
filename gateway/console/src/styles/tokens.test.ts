import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Rgb = readonly [number, number, number];

const CSS = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const TOKENS = new Map(
  [...CSS.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(([, name = "", light, dark]) => [
    name,
    { light: light ?? "", dark: dark ?? "" },
  ]),
);
const THEMES = ["light", "dark"] as const;

function rgbOf(name: string, theme: (typeof THEMES)[number]): Rgb {
  const hex = TOKENS.get(name)?.[theme];
  if (hex === undefined) throw new Error(`There is no token ${name}.`);
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return [r, g, b];
}

/** To light, from sRGB (IEC 61966-2-1). */
function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** WCAG 2.2: the relative luminance of a color. */
function luminance([r, g, b]: Rgb): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** How others see a color, in linear light, at full severity (Machado, Oliveira, Fernandes 2009). */
const VISIONS: Readonly<Record<string, readonly [Rgb, Rgb, Rgb]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function seen(color: Rgb, [r, g, b]: readonly [Rgb, Rgb, Rgb]): Rgb {
  const light = color.map(linear);
  const row = (factors: Rgb): number =>
    Math.min(
      1,
      Math.max(
        0,
        factors.reduce((sum, factor, at) => sum + factor * (light[at] ?? 0), 0),
      ),
    );
  return [row(r), row(g), row(b)];
}

/** OKLab (Ottosson 2020), from linear light. */
function oklab([r, g, b]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function difference(one: Rgb, other: Rgb): number {
  return 100 * Math.hypot(...one.map((value, at) => value - (other[at] ?? 0)));
}

/** The two colors that are hardest to tell apart, for anybody. */
function smallestDifference(names: readonly string[], theme: (typeof THEMES)[number]): number {
  const all = Object.values(VISIONS).flatMap((vision) => {
    const colors = names.map((name) => oklab(seen(rgbOf(name, theme), vision)));
    return colors.flatMap((one, at) => colors.slice(at + 1).map((other) => difference(one, other)));
  });
  return Math.min(...all);
}

describe.each(THEMES)("the colors of the %s theme", (theme) => {
  const onBoth = (name: string): number =>
    Math.min(...["bg", "surface"].map((ground) => contrast(rgbOf(name, theme), rgbOf(ground, theme))));

  it("can be read", () => {
    expect(onBoth("text")).toBeGreaterThanOrEqual(11.9);
    for (const name of ["muted", "accent", "danger", "warn", "ok"])
      expect(onBoth(name), name).toBeGreaterThanOrEqual(5.8);
    expect(contrast(rgbOf("text", theme), rgbOf("accent-soft", theme))).toBeGreaterThanOrEqual(7);
    expect(contrast(rgbOf("on-accent", theme), rgbOf("accent", theme))).toBeGreaterThanOrEqual(4.5);
  });

  it("show edges and charts", () => {
    const shapes = [...TOKENS.keys()].filter((name) => /^(control|neutral|positive|negative|series)/.test(name));
    expect(shapes).toHaveLength(12);
    for (const name of shapes) expect(onBoth(name), name).toBeGreaterThanOrEqual(3.3);
  });

  it("can be told apart by people who see fewer colors", () => {
    expect(smallestDifference(["positive-strong", "neutral", "negative-strong"], theme)).toBeGreaterThanOrEqual(14);
    const hourglass = ["negative-strong", "negative-mild", "positive-mild", "positive-strong"];
    expect(smallestDifference(hourglass, theme)).toBeGreaterThanOrEqual(14);
    const series = [1, 2, 3, 4, 5, 6].map((number) => `series-${number}`);
    expect(smallestDifference(series, theme)).toBeGreaterThanOrEqual(13.9);
  });
});
