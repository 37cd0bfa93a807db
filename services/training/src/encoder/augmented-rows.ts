import { type EntityType, entriesOf, type Gazetteer, tagText, type Token } from "@hourglass/analysis/training";
import { createRandom } from "../random.js";
import type { EntityEvidence, TypedSpan } from "./entity-labels.js";

/** A text with its entities. */
export interface AugmentedRow {
  readonly text: string;
  readonly source: string;
  readonly tokens: readonly Token[];
  readonly evidence: EntityEvidence;
  readonly weight: number;
}

const SEED = 23;
/** Share of the names that are replaced. */
const RENAMED = 0.75;
/** Number of copies of a row, by its rarest entity type: rare types need more names than there are texts. */
const COPIES: Readonly<Partial<Record<EntityType, number>>> = {
  WORK_OF_ART: 4,
  PRODUCT: 4,
  LAW: 3,
  LANGUAGE: 3,
  EVENT: 2,
  FAC: 2,
  LOC: 2,
};
/** Shares of all rows, including renamed ones, that are added again in lower and in upper case. */
const LOWER = 0.15;
const UPPER = 0.04;

/** Adds copies with other names of the same type, and copies in lower and upper case. */
export function augmentRows(rows: readonly AugmentedRow[]): AugmentedRow[] {
  const random = createRandom(SEED);
  const renamed = rows.flatMap((row) =>
    Array.from({ length: copiesOf(row, random) }, () => rename(row, random)).filter((copy) => copy !== undefined),
  );
  const all = [...rows, ...renamed];
  const lower = all.filter(() => random() < LOWER).map((row) => recase(row, (text) => text.toLowerCase()));
  const upper = all.filter(() => random() < UPPER).map((row) => recase(row, (text) => text.toUpperCase()));
  return [...renamed, ...[...lower, ...upper].filter((row) => row !== undefined)];
}

function copiesOf({ evidence: { sure }, weight }: AugmentedRow, random: () => number): number {
  if (sure.length === 0) return 0;
  const most = Math.max(...sure.map(({ types: [type] }) => (type && COPIES[type]) ?? 1));
  // Silver rows are numerous: half of them are copied once.
  return weight < 0.5 ? Number(random() < most / 5) : most;
}

/** A change of case that changes lengths or tokens would shift the labels: such rows are left out. */
function recase(row: AugmentedRow, change: (text: string) => string): AugmentedRow | undefined {
  const text = change(row.text);
  if (text.length !== row.text.length || text === row.text) return undefined;
  const tokens = tagText(text);
  const same = tokens.length === row.tokens.length && tokens.every(({ end }, at) => end === row.tokens[at]?.end);
  return same ? { ...row, text, tokens } : undefined;
}

interface Placed extends TypedSpan {
  readonly isSure: boolean;
}

function rename(row: AugmentedRow, random: () => number): AugmentedRow | undefined {
  const placed = placedSpans(row.evidence);
  const moved: { start: number; end: number; span: Placed }[] = [];
  let text = "";
  let at = 0;
  let changed = false;
  for (const span of placed) {
    const start = row.tokens[span.first]?.start ?? 0;
    const end = row.tokens[span.last]?.end ?? 0;
    if (start < at) return undefined;
    const old = row.text.slice(start, end);
    const name = span.isSure && random() < RENAMED ? nameFor(span, old, random) : undefined;
    text += row.text.slice(at, start);
    moved.push({ start: text.length, end: text.length + (name ?? old).length, span: name ? named(span, name) : span });
    text += name ?? old;
    at = end;
    changed ||= name !== undefined;
  }
  text += row.text.slice(at);
  return changed ? rebuilt(row, text, moved) : undefined;
}

/** Several possible types are reduced to that of the list which contains the name. */
const named = (span: Placed, { length }: string): Placed =>
  length > 0 && span.types.length > 1 ? { ...span, types: ["GPE"] } : span;

function placedSpans({ sure, unsure }: EntityEvidence): Placed[] {
  const taken = new Set(sure.flatMap(({ first, last }) => [first, last]));
  const open = unsure.filter(({ first, last }) => !taken.has(first) && !taken.has(last));
  const all = [...sure.map((span) => ({ ...span, isSure: true })), ...open.map((span) => ({ ...span, isSure: false }))];
  return all
    .sort((a, b) => a.first - b.first || b.last - a.last)
    .filter((span, index, sorted) => {
      const before = sorted[index - 1];
      return !before || before.last < span.first;
    });
}

function rebuilt(
  row: AugmentedRow,
  text: string,
  moved: readonly { start: number; end: number; span: Placed }[],
): AugmentedRow {
  const tokens = tagText(text);
  const spans = moved.flatMap(({ start, end, span }) => {
    const first = tokens.findIndex((token) => token.end > start);
    const last = tokens.findLastIndex((token) => token.start < end);
    return first < 0 || last < first ? [] : [{ ...span, first, last }];
  });
  const sure = spans.filter(({ isSure }) => isSure);
  return { ...row, text, tokens, evidence: { sure, unsure: spans.filter(({ isSure }) => !isSure) } };
}

const LISTS: Readonly<Record<Exclude<EntityType, "PERSON">, readonly Gazetteer[]>> = {
  NORP: ["nationalities"],
  FAC: ["facilities"],
  ORG: ["organizations"],
  GPE: ["cities", "cities", "countries", "regions"],
  LOC: ["locations"],
  PRODUCT: ["products"],
  EVENT: ["events"],
  WORK_OF_ART: ["works"],
  LAW: ["laws"],
  LANGUAGE: ["languages"],
};

function nameFor({ types }: TypedSpan, old: string, random: () => number): string | undefined {
  const type = types.length === 1 ? types[0] : "GPE";
  if (!type || /^[#@]/.test(old)) return undefined;
  const acronyms = type === "ORG" || type === "PRODUCT" || type === "EVENT" || type === "LAW" || type === "WORK_OF_ART";
  if (type !== "PERSON") return inCaseOf(old, choose(listed(choose(LISTS[type], random)), random), acronyms);
  const first = choose(listed("first-names"), random);
  if (old.includes(" ")) return inCaseOf(old, `${first} ${choose(listed("last-names"), random)}`, false);
  return inCaseOf(
    old,
    random() < 0.7 ? first : choose(listed(choose(["last-names", "persons"], random)), random),
    false,
  );
}

const lists = new Map<Gazetteer, string[]>();

function listed(list: Gazetteer): string[] {
  const known = lists.get(list) ?? entriesOf(list).filter((entry) => entry.length > 2);
  lists.set(list, known);
  return known;
}

function choose<T extends string>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

/** Gives the new name the capitalisation of the old one. */
function inCaseOf(old: string, name: string, acronyms: boolean): string {
  if (old.length > 4 && old === old.toUpperCase()) return name.toUpperCase();
  return /^[\p{Lu}\d]/u.test(old) ? spelt(name, acronyms) : name;
}

const TEMPLATE_SEED = 41;
/** Sentences generated per template. */
const NAMES_PER_TEMPLATE = 9;
const TEMPLATE_WEIGHT = 0.4;

/**
 * Sentence templates for types that are rare in texts, or that texts name in few ways; `{}` stands for the name. Names
 * stand at the beginning, in the middle and at the end, so that the encoder learns the frame rather than the place.
 */
const TEMPLATES: readonly (readonly [type: EntityType, list: Gazetteer, sentences: readonly string[]])[] = [
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
  const random = createRandom(TEMPLATE_SEED);
  return TEMPLATES.flatMap(([type, list, sentences]) => {
    const names = entriesOf(list).filter(({ length }) => length > 2);
    return sentences.flatMap((sentence) =>
      Array.from({ length: NAMES_PER_TEMPLATE }, () => {
        const name = names[Math.floor(random() * names.length)] ?? "";
        return filledTemplate(sentence, random() < 0.8 ? spelt(name, true) : name, type);
      }),
    );
  });
}

function filledTemplate(sentence: string, name: string, type: EntityType): AugmentedRow {
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
    weight: TEMPLATE_WEIGHT,
  };
}

const SMALL = new Set(["of", "the", "and", "in", "on", "a", "an", "to", "for", "with", "at", "by", "de", "v."]);

/** Capitalises a lower-case entry of a word list like a name; `acronyms`: short unknown words in capitals. */
function spelt(name: string, acronyms: boolean): string {
  return name.replace(/(^|[ -])([^ -]+)/gu, (_, gap: string, word: string) => {
    if (gap !== "" && SMALL.has(word)) return gap + word;
    return gap + (acronyms && isAcronym(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1));
  });
}

/** `nba`, `bmw`, `x5`: short, and not in the dictionary. */
function isAcronym(word: string): boolean {
  if (/\d/.test(word)) return !/\d(?:st|nd|rd|th|s)$/.test(word);
  if (word.length === 4) return !/[aeiouy]/.test(word);
  return word.length < 4 && tagText(word)[0]?.known === false && !/^(?:st|mt|jr|sr|dr|al|el|la|le)\.?$/.test(word);
}
