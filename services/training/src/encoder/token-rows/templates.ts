import { entriesOf, type Gazetteer, tagText } from "@hourglass/analysis/topic";
import { createRandom } from "../../random.js";
import type { AugmentedRow } from "./augment.js";
import type { RowType } from "./tags.js";
import { spelt } from "./spelling.js";

const SEED = 41;
/** Sentences generated per template. */
const NAMES_PER_TEMPLATE = 9;
const WEIGHT = 0.4;

/**
 * Sentence templates for types that are rare in texts, or that texts name in few ways; `{}` stands for the name. Names
 * stand at the beginning, in the middle and at the end, so that the encoder learns the frame rather than the place.
 */
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
    "ORG",
    "organizations",
    [
      "{} said on Tuesday that it would cut two thousand jobs.",
      "Shares in {} fell sharply after the report.",
      "I waited an hour on the phone with {}, what a joke",
      "{} lost my luggage again, thanks for nothing",
      "never buying anything from {} again",
      "shoutout to {} for replacing it within a day 🙌",
      "She has worked for {} since she left school.",
      "got the job at {}!!!",
      "{} is hiring, send me a message if you are interested",
      "My dad used to work at {}",
      "The chief executive of {} stepped down yesterday.",
      "A spokesman for {} declined to comment.",
      "come on {}, we need this win",
      "{} lost again, i'm done with this team",
      "{} beat their rivals 3-1 on Saturday.",
      "What a goal! {} are through to the final",
      "He signed for {} in the summer.",
      "According to {}, the number has doubled since 2010.",
      "The report by {} was published on Friday.",
      "{} announced a tour and I need tickets",
      "Saw {} live last night, best concert of my life",
      "i grew up listening to {}",
      "who else thinks {} should apologise",
      "Why is {} down again?",
      "{} customer service is useless",
      "Opened an account with {} last week.",
      "Just had breakfast at {}",
      "there's a {} right next to my house and it's dangerous",
      "Two officials of {} were arrested on Monday.",
      "The ruling is a blow to {}, which had appealed twice.",
      "{} and its partners want to build 400 homes here.",
      "they sued {} and won",
      "The deal makes {} the largest company of its kind in Europe.",
      "Flying with {} tomorrow, wish me luck",
      "i got accepted to {} 😭😭",
      "Researchers at {} have found a new way to store heat.",
      "He studied law at {}.",
      "Members of {} will vote on the offer next week.",
      "do not trust {}, they sell your data",
      "Hey {}, fix your website",
      "Half of my salary goes to {} lol",
      "Is anyone else boycotting {}?",
      "In a statement, {} denied the claims.",
      "Delivery by {} was quick and the driver was lovely.",
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
      "my {} just died on me, what should i get instead",
      "Anyone else having problems with {} today?",
      "the battery of my {} lasts two hours at most",
      "I swear by {}, best thing I ever bought",
      "He left his {} on the bus again.",
      "The company recalled the {} after several complaints.",
      "first day with the {} and i'm already in love",
      "does anyone have a charger for a {}",
      "She paid for it with the money from her old {}.",
      "Sales of the {} fell by a tenth last year, the company said.",
      "how is the {} still this expensive",
      "Traded my old phone for a {} 🔥",
      "We drank nothing but {} all night",
      "a cold {} after work, that's all i want",
      "ran out of {} so i had to go to the shop",
      "We drove a {} across three states.",
      "{} or coffee, what do you take for a headache?",
      "Is it safe to take {} every day?",
      "Downloaded {} last night and can't stop using it",
      "Thanks to {} I finally sleep again.",
      "Why does {} need my location all the time?",
      "tips for someone new to {}?",
      "The man fled in a grey {}, police said.",
      "Mum got me a {} for christmas 😍",
      "Nobody needs a {}, change my mind",
      "Our {} is fifteen years old and still runs.",
      "Does this case fit the {}?",
      "i hate {} so much, worst purchase ever",
      "They gave every pupil a {} this year.",
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
      "what is the best scene in {}?",
      "The director of {} died on Sunday.",
      "She played the lead in {} on Broadway.",
      "i cried so hard at the end of {}",
      "season two of {} can't come soon enough",
      "The actor, best known for {}, was 84.",
      "They just announced a remake of {} and I'm furious",
      "'{}' is the best thing on tv right now",
      'My favourite book is still "{}".',
      "“{}” won three prizes at the festival.",
      "The song was first heard in “{}” and then everywhere.",
      "Is {} worth watching?",
      "spent all weekend playing {}",
      "No spoilers for {} please!!",
      "The soundtrack of {} is a masterpiece",
      "Her novel {} sold two million copies.",
      "stayed up until 4 am to finish {}",
      "Going to see {} with my sister tonight",
      "{} came out twenty years ago today, I feel old",
      "the last episode of {} ruined it for me",
      "I've never seen {}, don't judge me",
      "He wrote it after reading {}.",
      "{} > everything else they ever made",
      "Currently listening to {} on repeat",
      "anyone want to play {} later?",
      "My son quotes {} all day long.",
      "{} is leaving the platform at the end of the month, so hurry.",
      "It reminds me of {}, only worse",
      "a hidden gem: {}",
      "The museum will show {} until March.",
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
