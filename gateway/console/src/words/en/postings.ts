import { count, number } from "../numbers.js";

const COUNTS: Readonly<Record<string, readonly [string, string]>> = {
  likes: ["like", "likes"],
  reactions: ["reaction", "reactions"],
  comments: ["comment", "comments"],
  shares: ["share", "shares"],
  views: ["view", "views"],
};

/** Postings: a card, the feed, and everything about one. */
export const postingWords = {
  unknownAuthor: "unknown author",
  unknownTime: "time unknown",
  noText: "no text",
  spam: "spam",
  /** Counts are digits: they may be larger than a number can be. */
  count: (name: string, digits: string) => {
    const [one, many] = COUNTS[name] ?? [name, name];
    return Number.isSafeInteger(Number(digits)) ? count(Number(digits), one, many) : `${digits} ${many}`;
  },
  by: (author: string, platform: string) => `${author}, ${platform}`,
  total: (total: number, isExact: boolean) =>
    isExact ? count(total, "posting") : `at least ${number(total)} postings`,
};
