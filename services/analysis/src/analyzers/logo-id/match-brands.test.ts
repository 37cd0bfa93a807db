import { describe, expect, it } from "vitest";
import type { Detection, PrintedLine } from "../../types.js";
import { distinctDetections } from "../../vision/detections.js";
import { brandList, brandWords, wellKnownBrands } from "./brands.js";
import { editDistance, matchBrands } from "./match-brands.js";

const line = (text: string, height = 0.1, top = 0.1): PrintedLine => ({
  text,
  prob: 0.98,
  box: { left: 0.1, top, width: 0.5, height },
});

const found = (...lines: PrintedLine[]): Detection[] => distinctDetections(matchBrands(lines, brandList()));
const brandsIn = (...lines: PrintedLine[]): string[] => found(...lines).map(({ value }) => value);

describe("matchBrands", () => {
  it.each([
    ["Heineken", "Heineken"],
    ["MICROSOFT", "Microsoft"],
    ["Coca Cola", "Coca-Cola"],
    ["COCACOLA ZERO", "Coca-Cola"],
    ["McDONALD'S", "McDonald's"],
    ["Mercedes-Benz", "Mercedes-Benz"],
    ["NESTLE", "Nestlé"],
    ["Häagen-Dazs", "Häagen-Dazs"],
    ["IBM", "IBM"],
    ["H&M", "H&M"],
    ["BURGER KING", "Burger King"],
    ["www.nike.com", "Nike"],
    ["APPLE", "Apple"],
    ["apple.com", "Apple"],
    ["PETRONAS", "Petronas"],
  ])("reads %s as %s", (text, brand) => {
    expect(brandsIn(line(text))).toEqual([brand]);
  });

  it.each([
    ["Hcineken", "Heineken"],
    ["Microsofl", "Microsoft"],
    ["Volkswaqen", "Volkswagen"],
    ["Budweisr", "Budweiser"],
  ])("takes %s for a misread %s, and is less sure", (text, brand) => {
    const [misread] = found(line(text));
    expect(misread?.value).toBe(brand);
    expect(misread!.prob).toBeLessThan(0.9);
  });

  it.each([
    "apple juice",
    "fresh orange juice",
    "shell sort",
    "the subway is closed",
    "visa required",
    "MIND THE GAP",
    "lee side",
    "ibm",
    "best buy of the week in town",
    "EXIT",
    "OPEN 24 HOURS",
    "Milton",
    "Lincoln Street",
    "The Wizard of Oz",
    "Handling instructions",
    "david@gmail.com",
    "she told me that her new Microsoft phone was broken",
    "USA",
    "Police Station",
  ])("finds no brand in %s", (text) => {
    expect(brandsIn(line(text))).toEqual([]);
  });

  it("takes an ordinary word for a brand in large print alone", () => {
    expect(brandsIn(line("SHELL", 0.03))).toEqual([]);
    expect(brandsIn(line("SHELL", 0.15))).toEqual(["Shell"]);
  });

  it("takes an ordinary word for no brand where it is a part of a longer text of its size", () => {
    expect(brandsIn(line("Glad", 0.15, 0.1), line("to see you", 0.14, 0.28))).toEqual([]);
    expect(brandsIn(line("GLAD", 0.15, 0.1), line("45 drawstring bags", 0.04, 0.28))).toEqual(["Glad"]);
    expect(brandsIn(line("Hefty", 0.3, 0.3))).toEqual(["Hefty"]);
  });

  it("does not make a less known name of ordinary words that have its letters", () => {
    expect(brandsIn(line("SELECTA"))).toEqual(["Selecta"]);
    expect(brandsIn(line("Select a file"))).toEqual([]);
  });

  it("joins words that stand under each other", () => {
    expect(brandsIn(line("BURGER", 0.1, 0.1), line("KING", 0.1, 0.22))).toEqual(["Burger King"]);
    expect(brandsIn(line("BURGER", 0.1, 0.1), line("KING", 0.1, 0.7))).toEqual([]);
  });

  it("names a brand once, with its surest sign and the places of all", () => {
    const [nike, ...others] = found({ ...line("Nike"), prob: 0.85 }, line("NIKE", 0.1, 0.5));
    expect(others).toEqual([]);
    expect(nike!.prob).toBeCloseTo(0.98 * 0.97, 3);
    expect(nike).toMatchObject({
      count: 2,
      boxes: [
        [0.1, 0.5, 0.5, 0.1, nike!.prob],
        [0.1, 0.1, 0.5, 0.1, 0.8245],
      ],
    });
  });

  it("counts a name once that stands twice in a line, and one that takes two lines once", () => {
    expect(found(line("NIKE Nike"))).toMatchObject([
      { value: "Nike", count: 1, boxes: [[0.1, 0.1, 0.5, 0.1, 0.9506]] },
    ]);
    const stacked = found(line("BURGER", 0.1, 0.1), {
      ...line("KING", 0.1, 0.22),
      box: { left: 0.3, top: 0.22, width: 0.5, height: 0.1 },
    });
    expect(stacked).toMatchObject([{ value: "Burger King", count: 1, boxes: [[0.1, 0.1, 0.7, 0.22, 0.882]] }]);
  });
});

describe("the list of brands", () => {
  it("knows the brands that most people know, each once", () => {
    const names = wellKnownBrands();
    expect(names.length).toBeGreaterThan(400);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["Microsoft", "Amazon", "Pepsi", "Heineken", "LinkedIn", "Disney"]));
  });
});

describe("brandWords", () => {
  it("leaves accents, apostrophes and joining signs out", () => {
    expect(brandWords("Häagen-Dazs®")).toEqual(["haagen", "dazs"]);
    expect(brandWords("M&M's – Lay’s")).toEqual(["m&ms", "lays"]);
  });
});

describe("editDistance", () => {
  it("counts letters that differ, and stops where it may", () => {
    expect(editDistance("pepsi", "pepsi", 1)).toBe(0);
    expect(editDistance("pepsl", "pepsi", 1)).toBe(1);
    expect(editDistance("pesi", "pepsi", 2)).toBe(1);
    expect(editDistance("abcdef", "pepsi", 2)).toBe(3);
  });
});
