/**
 * The writer's own words in pooled texts: repeated lines and sentences are left out, and so are words of others
 * (retweets, quoted lines, quotations). Each yielded unit is a line or sentence.
 */
export function* ownUnits(text: string): Iterable<string> {
  const seen = new Set<string>();
  for (const line of text.split(LINE_END)) {
    if (PASSED_ON.test(line)) continue;
    for (const sentence of withoutOthers(line).split(SENTENCE_END)) {
      const key = sentence.replace(ADDRESSES, " ").replace(/\s+/g, " ").trim();
      if (key === "" || seen.has(key)) continue;
      seen.add(key);
      yield sentence;
    }
  }
}

const LINE_END = /[\n\r\u2028\u2029]+/;
/** Splits after the punctuation marks, so that they stay with their sentence. */
const SENTENCE_END = /(?<=[.!?…])\s+/;
/** Quoted lines of mail and forums, and posts that begin with somebody else's. */
const PASSED_ON = /^\s*(?:>|(?:rt|mt|via)\b:?\s*@)/i;
/** The text after a retweet mark is not the writer's. */
const RETWEET = /\b[RM]T:? ?@.*$/;
/**
 * Quotations of several words; shorter ones are mostly names and irony. Bounded, so that an unpaired quote costs
 * little.
 */
const QUOTATION = /"[^"\n]{1,1000}"|“[^”\n]{1,1000}”|«[^»\n]{1,1000}»/g;
const QUOTED_WORDS_MIN = 4;
/** Ignored when posts are compared: posts that differ only in an address are repetitions. */
const ADDRESSES = /https?:\/\/\S+|www\.\S+|@[\p{L}\p{N}_]+/gu;

function withoutOthers(line: string): string {
  return line
    .replace(RETWEET, "")
    .replace(QUOTATION, (quotation) => (quotation.split(/\s+/).length < QUOTED_WORDS_MIN ? quotation : " "));
}
