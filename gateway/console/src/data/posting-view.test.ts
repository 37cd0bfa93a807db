import { describe, expect, it } from "vitest";
import { httpUrl } from "./links.js";
import { cut, inLine, labelsOf, partsOf, type Posting, postedAt, viewOf } from "./posting-view.js";

/** As little of a posting as a case needs. */
function posting(given: Partial<Posting>): Posting {
  const nothing = { text_of_post: null, social_url: null, social_id: null, sentiments: null, intentions: null };
  const author = { author_name: null, author_username: null, author_id: null };
  const shown = { platform: "news", post_date: "1/31/2026", post_time: "12:00:00", topic_1: null, more_info: null };
  return { ...nothing, ...author, ...shown, ...given } as Posting;
}

describe("a posting as a card shows it", () => {
  it("has its moment in UTC", () => {
    expect(postedAt({ post_date: "1/31/2026", post_time: "12:05:09" })).toBe(Date.UTC(2026, 0, 31, 12, 5, 9));
    expect(postedAt({ post_date: "", post_time: "" })).toBeUndefined();
  });

  it("has the beginning of a long text, and of a long name", () => {
    const { excerpt, author } = viewOf(
      posting({ text_of_post: "x".repeat(1_000_000), author_name: "y".repeat(10_000) }),
    );
    expect(excerpt.length).toBeLessThan(500);
    expect(author?.length).toBeLessThan(100);
  });

  it("links to nothing but web addresses", () => {
    expect(viewOf(posting({ social_url: "javascript:alert(1)" })).url).toBeUndefined();
    expect(httpUrl("https://example.com/a")).toBe("https://example.com/a");
    expect(httpUrl("not an address")).toBeUndefined();
  });

  it("has the counts that are not zero, with likes in place of reactions", () => {
    const counts = { like_count: "41", reaction_total_count: "41", comment_count: "0", share_count: "-2" };
    expect(viewOf(posting(counts)).counts).toEqual([
      { name: "likes", value: "41" },
      { name: "shares", value: "-2" },
    ]);
  });
});

describe("the labels of a posting", () => {
  const info = (emotion: object) => ({ more_info: { emotion, sentiment_simple: { value: "negative", prob: 0.9 } } });

  it("are unsure below the bound", () => {
    const sentiments = "anger" as const;
    expect(labelsOf(posting({ sentiments, ...info({ value: "anger", prob: 0.39 }) })).emotion?.isUnsure).toBe(true);
    expect(labelsOf(posting({ sentiments, ...info({ value: "anger", prob: 0.41 }) })).emotion?.isUnsure).toBe(false);
  });

  it("are unsure where the words give no evidence", () => {
    expect(labelsOf(posting(info({ value: "joy", prob: 0.6 }))).emotion).toEqual({
      value: "joy",
      prob: 0.6,
      isUnsure: true,
    });
  });

  it("may have a form that nobody expects", () => {
    const more_info = { emotion: 3, sentiment_simple: { value: 1 }, spam: null, intention_prob: "x" };
    expect(labelsOf(posting({ more_info, intentions: "wish" }))).toEqual({
      polarity: undefined,
      emotion: undefined,
      intention: { value: "wish", prob: undefined, isUnsure: false },
      isSpam: false,
    });
  });
});

describe("a title", () => {
  it("is folded if the text repeats it", () => {
    const parts = partsOf("Honest opinion\n\nHonest  opinion: support answered.");
    expect(parts).toEqual({ title: "", text: "Honest  opinion: support answered.", from: 16, isFolded: true });
  });

  it("is folded if it was cut", () => {
    expect(partsOf("Ministry confirms the …\n\nMinistry confirms the recall.").isFolded).toBe(true);
  });

  it("stands alone otherwise", () => {
    expect(partsOf("Ministry confirms recall\n\nThe ministry said so.")).toMatchObject({
      title: "Ministry confirms recall",
      text: "The ministry said so.",
      isFolded: false,
    });
  });

  it("is no long first paragraph", () => {
    const text = `${"a ".repeat(400)}\n\nb`;
    expect(partsOf(text)).toMatchObject({ title: "", text });
  });
});

it("lets no name turn the direction of what follows it", () => {
  expect(inLine("\u202Eevil\u2066", 80)).toBe("evil");
  expect(viewOf(posting({ author_name: "\u202EAda" })).author).toBe("Ada");
});

it("cuts no character in two", () => {
  expect(cut("ab😀", 3)).toBe("ab…");
});
