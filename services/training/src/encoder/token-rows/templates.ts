import { entriesOf, type Gazetteer, tagText } from "@hourglass/analysis/topic";
import { createRandom } from "../../random.js";
import type { AugmentedRow } from "./augment.js";
import type { RowType } from "./tags.js";
import { spelt } from "./spelling.js";

const SEED = 41;
/** Sentences generated per template. */
const NAMES_PER_TEMPLATE = 9;
const WEIGHT = 0.4;

/** Sentence templates for types that are rare in texts; `{}` stands for the name. */
const TEMPLATES: readonly (readonly [type: RowType, list: Gazetteer, sentences: readonly string[]])[] = [
  [
    "LANGUAGE",
    "languages",
    [
      "Do you speak {}?",
      "I have been learning {} for two years and still can't order a coffee",
      "she's fluent in {} and English",
      "Anyone know a good app to learn {}?",
      "The book was translated into {} last year.",
      "my {} is terrible lol",
      "He answered in {} and nobody understood a word",
      "I wish I could understand {} 😭",
      "They teach {} at my school now!",
      "The subtitles are only in {}, so annoying",
      "How do you say thank you in {}?",
      "Most people there speak {} at home.",
      "I took three years of {} in high school",
      "Her parents only spoke {} when she grew up.",
      "Watching a movie in {} without subtitles tonight",
      "the {} language has beautiful poetry",
      "Is this written in {} or is it just me?",
      "We need a translator from {} to English asap",
      "My grandmother still prays in {}.",
      "{} is so much harder than I thought",
      "Just finished my {} homework, time to sleep",
      "I failed my {} exam again",
      "The sign was in {} so we got lost",
      "He switched to {} when the boss came in",
      "Learning {} on Duolingo, day 45",
    ],
  ],
  [
    "LAW",
    "laws",
    [
      "Congress passed the {} in a late vote on Thursday.",
      "The court ruled that it violates the {}.",
      "What does the {} even say about this?",
      "They want to repeal the {} and replace it with nothing",
      "Under the {}, companies have to report every breach.",
      "The {} is under attack again",
      "Senators are debating changes to the {} this week.",
      "He was charged under the {}.",
      "Thank god for the {} tbh",
      "The president signed the {} yesterday.",
      "Has anyone actually read the {}?",
      "My rights under the {} were ignored",
      "Critics say the {} goes too far, supporters say not far enough.",
      "The {} was a mistake and everybody knows it",
      "The {} protects workers from unfair dismissal.",
      "Parliament voted to amend the {}",
      "A lawsuit over the {} reached the supreme court.",
      "without the {} none of this would be possible",
      "The government wants out of the {}.",
      "She wrote her thesis on the {}",
    ],
  ],
  [
    "EVENT",
    "events",
    [
      "Who's watching {} tonight?",
      "So excited for {}!!!",
      "We got tickets for {} 🎉",
      "{} was a disaster this year",
      "Can't believe {} is over already",
      "My grandfather fought in {}.",
      "See you all at {} next week",
      "The schedule for {} was announced on Monday.",
      "{} is my favorite time of the year",
      "He won gold at {} in front of a huge crowd",
    ],
  ],
  [
    "PRODUCT",
    "products",
    [
      "Just bought a new {} and I love it",
      "My {} broke after two weeks, never again",
      "Is the {} worth the money?",
      "Thinking of selling my {} tbh",
      "The {} is sold out everywhere",
      "I need a {} in my life",
      "{} update keeps crashing, please fix it",
      "The new {} was presented on Tuesday.",
      "switched from {} and never looked back",
      "{} is better than people say",
      "Can't live without my {}",
      "Got a {} for my birthday!",
      "For sale: {}, barely used",
      "reviewing the {} tomorrow on my channel",
    ],
  ],
  [
    "WORK_OF_ART",
    "works",
    [
      "Just watched {} and I'm crying",
      "{} is on tonight!",
      "Have you seen {} yet?",
      "rewatching {} for the tenth time",
      "{} is so overrated imo",
      "I can't stop listening to {}",
      "the ending of {} still makes no sense",
      "New episode of {} was amazing",
      "Reading {} before bed",
      "{} was robbed at the awards",
      "They are making a sequel to {}, why?",
      "nothing beats {} on a rainy day",
      "My kids are obsessed with {}",
      '"{}" opens in theaters on Friday.',
      "who else grew up on {}",
      "finally started {} and wow",
    ],
  ],
];

/** Sentences generated from templates and word lists. */
export function templateRows(): AugmentedRow[] {
  const random = createRandom(SEED);
  return TEMPLATES.flatMap(([type, list, sentences]) => {
    const names = entriesOf(list).filter(({ length }) => length > 2);
    return sentences.flatMap((sentence) =>
      Array.from({ length: NAMES_PER_TEMPLATE }, () => {
        const name = names[Math.floor(random() * names.length)] ?? "";
        return rowOf(sentence, random() < 0.8 ? spelt(name, true) : name, type);
      }),
    );
  });
}

function rowOf(sentence: string, name: string, type: RowType): AugmentedRow {
  // Some entries include their article.
  const frame = /^the /i.test(name) ? sentence.replace(/\bthe \{\}/i, "{}") : sentence;
  const start = frame.indexOf("{}");
  const text = frame.replace("{}", () => name);
  const tokens = tagText(text);
  const first = tokens.findIndex(({ end }) => end > start);
  const last = tokens.findLastIndex((token) => token.start < start + name.length);
  return {
    text,
    source: "template",
    tokens,
    evidence: { sure: [{ first, last, types: [type] }], unsure: [] },
    weight: WEIGHT,
  };
}
