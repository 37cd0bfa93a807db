import { describe, expect, it } from "vitest";
import { withoutPageFurniture } from "./print-furniture.js";

describe("withoutPageFurniture", () => {
  it.each([
    "1,204 Reposts 310 Quotes 5.2K Likes",
    "10:24 AM · Mar 3, 2026 · 1.2M Views",
    "Reply\nLike\nShare",
    "12 Kommentare Teilen",
    "45 Me gusta 3 comentarios",
  ])("blanks out %s around a posting, and keeps places", (furniture) => {
    const text = `The train was late again\n${furniture}\nSorry!`;
    const cleaned = withoutPageFurniture(text);
    expect(cleaned).toHaveLength(text.length);
    expect(cleaned.split(/\s*\n\s*/)).toEqual(["The train was late again", "Sorry!"]);
  });

  it.each(["We like the views here", "Views over the old town\nOpen daily", "Like\nnothing else", "12 Likes 3 Views"])(
    "keeps %s",
    (text) => {
      expect(withoutPageFurniture(text)).toBe(text);
    },
  );
});
