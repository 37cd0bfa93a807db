import { describe, expect, it } from "vitest";
import { findingsOf } from "./findings.js";
import { kindsOf } from "./kinds.js";
import { framedPrint } from "./testing/stroke-print.js";

/** What the networks see in a picture of 640 × 480 pixels, drawn in SVG. */
const frameOf = (drawn: string) => framedPrint([], { background: drawn });

const rectangles = (count: number, draw: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => draw(at)).join("");

const chart =
  '<path d="M80 40V420H600" stroke="#333" stroke-width="2" fill="none"/>' +
  rectangles(8, (at) => {
    const height = 60 + ((at * 97) % 280);
    return `<rect x="${100 + at * 60}" y="${420 - height}" width="40" height="${height}" fill="#4682b4"/>`;
  }) +
  rectangles(8, (at) => `<rect x="${112 + at * 60}" y="432" width="16" height="8" fill="#555"/>`) +
  rectangles(5, (at) => `<rect x="52" y="${90 + at * 75}" width="18" height="8" fill="#555"/>`);

const figure =
  '<g stroke="#111" stroke-width="6" fill="none"><circle cx="320" cy="120" r="50" fill="#fd8"/><path d="M320 170V320M320 210L240 260M320 210L400 260M320 320L260 430M320 320L380 430"/></g>';

describe("own words", () => {
  it("name charts and drawings", async () => {
    expect((await findingsOf(await frameOf(chart))).kind?.name).toBe("chart");
    expect((await findingsOf(await frameOf(figure))).kind?.name).toBe("drawing");
  });

  it("name nothing in a picture of one color", async () => {
    for (const color of ["#fff", "#000", "#3366cc", "#c0ffee"]) {
      const { own } = await kindsOf(await frameOf(`<rect width="640" height="480" fill="${color}"/>`));
      expect(own).toEqual([]);
    }
  });
});
