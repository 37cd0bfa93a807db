import { count } from "../numbers.js";
import { quoted } from "../quoted.js";

const COUNTS: Readonly<Record<string, readonly [string, string]>> = {
  likes: ["like", "likes"],
  reactions: ["reaction", "reactions"],
  comments: ["comment", "comments"],
  shares: ["share", "shares"],
  views: ["view", "views"],
};

/** The card of a posting, which several screens have. */
export const postingCardWords = {
  unknownAuthor: "unknown author",
  unknownTime: "time unknown",
  noText: "No text",
  spam: "spam",
  /** Counts are digits: they may be larger than a number can be. */
  count: (name: string, digits: string) => {
    const [one, many] = COUNTS[name] ?? [name, name];
    return Number.isSafeInteger(Number(digits)) ? count(Number(digits), one, many) : `${digits} ${many}`;
  },
  by: (author: string, platform: string) => `${quoted(author)}, ${platform}`,
};
