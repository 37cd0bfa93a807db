/** Names of buttons and counters around postings, in the languages of most pages. */
const BUTTONS = [
  ...["reposts?", "retweets?", "quotes?", "likes?", "views?", "bookmarks?", "comments?", "reply", "replies", "shares?"],
  ...[
    "follow",
    "following",
    "followers?",
    "subscribe",
    "subscribed",
    "subscribers?",
    "posts?",
    "save",
    "saved",
    "more",
  ],
  ...["translate post", "show more", "see more", "read more", "view all", "sponsored", "promoted", "view post"],
  ...[
    "gefällt mir",
    "teilen",
    "geteilt",
    "kommentieren",
    "kommentare?",
    "antworten",
    "aufrufe",
    "folgen",
    "abonnieren",
  ],
  ...["me gusta", "compartir", "comentar", "comentarios?", "responder", "seguir", "seguidores", "visualizaciones"],
  ...["j.aime", "partager", "partages?", "commenter", "commentaires?", "répondre", "suivre", "abonnés?", "vues"],
];
const BUTTON = new RegExp(`(?<![\\p{L}\\p{N}])(?:${BUTTONS.join("|")})(?![\\p{L}\\p{N}])`, "giu");

/** Counts, times and dates beside them: `1.2M`, `10:24 AM`, `Mar 3, 2026`, `5h`. */
const FIGURES =
  /(?<!\p{L})(?:\d[\d.,:]*\s?(?:[KMB]|mil|Mio|mins?|[hdwmsy]|[ap]\.?m\.?)?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})(?!\p{L})/giu;

/** One such word without a number may as well be the text of a picture. */
const BUTTONS_MIN = 2;

/**
 * The text read in a picture, with the lines that only name buttons and counters of a page blanked out: "1,204 Reposts
 * 5K Likes" is not what a posting is about. Places in the text remain. Unchanged if nothing else would be left.
 */
export const withoutPageFurniture = (text: string): string => {
  const lines = text.split("\n");
  const furniture = lines.map(isFurniture);
  const buttons = lines.reduce((sum, line, at) => sum + (furniture[at] === true ? buttonsIn(line) : 0), 0);
  if (buttons < BUTTONS_MIN || furniture.every((each) => each)) return text;
  return lines.map((line, at) => (furniture[at] === true ? " ".repeat(line.length) : line)).join("\n");
};

const buttonsIn = (line: string): number => (line.match(BUTTON)?.length ?? 0) * (/\d/.test(line) ? BUTTONS_MIN : 1);

const isFurniture = (line: string): boolean =>
  buttonsIn(line) > 0 && !/\p{L}/u.test(line.replaceAll(BUTTON, " ").replaceAll(FIGURES, " "));
