import { inventPerson, oneOf, type Person, randomOf } from "./invented.js";

/** A stream of invented postings that depends on its seed and its end only. */
export class Stream {
  private readonly random: () => number;

  constructor(
    seed: number,
    /** Milliseconds since the epoch. */
    private readonly end: number,
  ) {
    this.random = randomOf(seed);
  }

  /** Postings of the four weeks before the end, oldest first; the last ones, of the last three hours, stand on all platforms. */
  before(count: number): StreamPosting[] {
    const moments = momentsOf(count, this.end, this.random);
    return moments.map((moment, index) => {
      const left = count - 1 - index;
      const platform = DEMO_PLATFORMS[left];
      const at = platform === undefined ? moment.at : Math.max(moment.at, this.end - (left + 1) * LAST_ONES_MS);
      return inventPosting({ ...moment, at }, this.random, platform);
    });
  }

  /** A further posting. */
  next(at: number): StreamPosting {
    return inventPosting(momentNow(at), this.random);
  }
}

/** Time between the last ones, at most: platforms that keep one day only have them, however few postings there are. */
const LAST_ONES_MS = 20 * 60_000;

/** The nine platforms of the stream, and how many of a hundred postings each has. */
const SHARES = {
  twitter: 20,
  reddit: 13,
  news: 9,
  "youtube-comments": 13,
  "youtube-videos": 7,
  tiktok: 11,
  facebook: 12,
  instagram: 9,
  linkedin: 6,
} as const;

export type DemoPlatform = keyof typeof SHARES;

export const DEMO_PLATFORMS = Object.keys(SHARES) as DemoPlatform[];

/** A posting of the invented stream, before a fake gives it the form of its platform. */
export interface StreamPosting {
  readonly platform: DemoPlatform;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly subject: Subject;
  /** An ISO 639-1 code. */
  readonly language: string;
  /** Says that it is for a demonstration. */
  readonly text: string;
  readonly tags: readonly string[];
  readonly author: Person;
  readonly likes: number;
}

/** Invents a posting on some platform, or on the given one, at a moment of the story. */
function inventPosting(moment: Moment, random: () => number, platform?: DemoPlatform): StreamPosting {
  const subject = SUBJECTS.find(({ key }) => key === moment.subject) ?? oneOf(SUBJECTS, random);
  const mood = drawn(moment.moods, random);
  const language = languageOf(mood, random);
  const tags = [subject.key, "demo"];
  const sentence = language === "en" ? english(subject, mood, random) : other(language, mood, random);
  return {
    platform: platform ?? drawn(SHARES, random),
    at: moment.at,
    subject,
    language,
    text: `${sentence.replaceAll("{name}", subject.name)} ${tags.map((tag) => `#${tag}`).join(" ")}`,
    tags,
    author: inventPerson(random),
    likes: Math.floor(random() ** 4 * 400),
  };
}

function english({ key }: Subject, mood: Mood, random: () => number): string {
  if (mood === "advert") return oneOf(ADVERTS, random);
  const text = `${oneOf(OPENINGS, random)} ${oneOf(ENGLISH[key][mood], random)}`;
  const sentence = /[.?!]$/.test(text) ? text : `${text}.`;
  return `${sentence} ${oneOf(CLOSINGS, random)}`.trimEnd();
}

type OtherLanguage = keyof typeof OTHER_LANGUAGES;

function other(language: OtherLanguage, mood: Mood, random: () => number): string {
  const text = oneOf(OTHER_LANGUAGES[language][mood === "advert" ? "doubt" : mood], random);
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

function languageOf(mood: Mood, random: () => number): "en" | OtherLanguage {
  if (mood === "advert" || random() < 0.85) return "en";
  return oneOf(["de", "de", "es", "fr"] as const, random);
}

/** One of the names, each as often as its weight is. */
function drawn<K extends string>(weights: Readonly<Record<K, number>>, random: () => number): K {
  const entries = Object.entries<number>(weights) as [K, number][];
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  const found = entries.find(([, weight]) => (left -= weight) < 0) ?? entries[0];
  if (found === undefined) throw new RangeError("There is nothing to draw from.");
  return found[0];
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Days of the stream before it begins to grow: those before the recall say what is usual. */
export const STORY_DAYS = 28;

/** Something invented that makes people talk for a while. */
interface Event {
  /** Days before the end of the story at which it happens. */
  readonly daysAgo: number;
  readonly hours: number;
  /** Times as many postings as usual at its beginning. */
  readonly strength: number;
  readonly subject: Subject["key"];
  readonly moods: Moods;
}

type Moods = Readonly<Record<Mood, number>>;

const USUAL: Moods = { delight: 9, anger: 5, doubt: 5, advert: 1 };
/** A launch, a recall, an opening, a breakdown and a repair. */
const EVENTS: readonly Event[] = [
  { ...{ daysAgo: 11.6, hours: 30, strength: 6 }, ...talk("kestrel", { delight: 14, anger: 2, doubt: 4, advert: 2 }) },
  { ...{ daysAgo: 8.4, hours: 12, strength: 4 }, ...talk("merlin", { delight: 2, anger: 10, doubt: 4, advert: 0 }) },
  { ...{ daysAgo: 5.3, hours: 36, strength: 10 }, ...talk("kestrel", { delight: 1, anger: 16, doubt: 4, advert: 0 }) },
  { ...{ daysAgo: 3.4, hours: 20, strength: 8 }, ...talk("osprey", { delight: 15, anger: 2, doubt: 4, advert: 0 }) },
  { ...{ daysAgo: 1.5, hours: 10, strength: 6 }, ...talk("osprey", { delight: 1, anger: 14, doubt: 3, advert: 0 }) },
  { ...{ daysAgo: 0.6, hours: 14, strength: 6 }, ...talk("kestrel", { delight: 13, anger: 2, doubt: 3, advert: 2 }) },
];

function talk(subject: Subject["key"], moods: Moods): Pick<Event, "subject" | "moods"> {
  return { subject, moods };
}

/** What is talked about at a moment of the story. */
interface Moment {
  readonly at: number;
  /** Undefined: any of the subjects. */
  readonly subject: Subject["key"] | undefined;
  readonly moods: Moods;
}

/** The moments of `count` postings of the four weeks before `end`, oldest first. */
function momentsOf(count: number, end: number, random: () => number): Moment[] {
  const hours = Array.from({ length: STORY_DAYS * 24 }, (_, index) => end - STORY_DAYS * DAY_MS + index * HOUR_MS);
  const talks = hours.flatMap((hour) => talksOf(hour, end));
  const total = talks.reduce((sum, { weight }) => sum + weight, 0);
  const moments = Array.from({ length: count }, () => {
    let left = random() * total;
    const talk = talks.find(({ weight }) => (left -= weight) < 0) ?? talks[0];
    const { subject, moods = USUAL, hour = end - HOUR_MS } = talk ?? {};
    return { at: Math.floor(hour + random() * HOUR_MS), subject, moods };
  });
  return moments.sort((a, b) => a.at - b.at);
}

/** A moment after the story. */
function momentNow(at: number): Moment {
  return { at, subject: undefined, moods: USUAL };
}

interface Talk {
  readonly hour: number;
  readonly weight: number;
  readonly subject: Subject["key"] | undefined;
  readonly moods: Moods;
}

/** Talk of an hour: less at night, and what events add, which fades. */
function talksOf(hour: number, end: number): Talk[] {
  const usual = 1 + 0.8 * Math.sin(((new Date(hour).getUTCHours() - 8) / 24) * 2 * Math.PI);
  const added = EVENTS.flatMap(({ daysAgo, hours, strength, subject, moods }) => {
    const age = (hour - (end - daysAgo * DAY_MS)) / HOUR_MS;
    return age < 0 || age > hours ? [] : [{ hour, weight: strength * (1 - age / hours) * usual, subject, moods }];
  });
  return [{ hour, weight: usual, subject: undefined, moods: USUAL }, ...added];
}

/** How a posting speaks of its subject. */
type Mood = "delight" | "anger" | "doubt" | "advert";

/** A product or service that does not exist. */
interface Subject {
  readonly key: "kestrel" | "merlin" | "osprey";
  /** As texts name it. */
  readonly name: string;
  /** The organization of LinkedIn, page of Facebook and account of Instagram that speak for it. */
  readonly organization: { readonly id: string; readonly vanityName: string; readonly localizedName: string };
  readonly page: { readonly id: string; readonly username: string; readonly name: string };
  readonly account: { readonly id: string; readonly username: string; readonly name: string };
  readonly subreddit: string;
}

/** What the invented stream is about. */
export const SUBJECTS: readonly [Subject, ...Subject[]] = [
  subject("kestrel", "Kestrel phone", 1, "demo_phones"),
  subject("merlin", "Merlin e-bike", 2, "demo_bikes"),
  subject("osprey", "Osprey tram", 3, "demo_city"),
];

function subject(key: Subject["key"], name: string, number: number, subreddit: string): Subject {
  const title = `${key.charAt(0).toUpperCase()}${key.slice(1)} (invented)`;
  return {
    key,
    name,
    organization: { id: `551571${number}`, vanityName: `${key}-invented`, localizedName: title },
    page: { id: `10000000000000${number}`, username: `${key}.demo`, name: title },
    account: { id: `1784140000000010${number}`, username: `${key}_demo`, name: title },
    subreddit,
  };
}

type Phrases = Readonly<Record<Exclude<Mood, "advert">, readonly [string, ...string[]]>>;

/** What people say in English about each subject. */
const ENGLISH: Readonly<Record<Subject["key"], Phrases>> = {
  kestrel: {
    delight: [
      "the camera is wonderful, even late at night",
      "I charged it on Monday and it still runs, amazing battery",
      "support answered within an hour, thank you so much",
      "my grandmother set it up without any help, and she loves it",
      "the screen is so bright that I finally read in the sun",
      "the new update made everything faster, what a pleasure",
      "I dropped it on the stairs and there is not a scratch, impressive",
      "best purchase of the year, I would buy it again tomorrow",
    ],
    anger: [
      "the battery gets so hot that I cannot hold it, this is dangerous",
      "it died after two days and nobody answers the phone, I am furious",
      "the update deleted all my photos, unbelievable",
      "I have waited for a refund for three weeks, shame on them",
      "the speaker crackles in every call, terrible quality",
      "far too expensive for what it does, I feel cheated",
      "it freezes whenever I open the map, useless on a trip",
      "they recalled it and now I am without a phone, what a disaster",
    ],
    doubt: [
      "does anyone know whether the old charger still fits?",
      "I cannot decide between the blue one and the grey one",
      "has the recall reached your country yet?",
      "is it worth the price if you only write messages?",
      "it weighs 180 grams and has two cameras",
      "the shop on the harbour has it from Thursday on",
    ],
  },
  merlin: {
    delight: [
      "I rode up the hill without sweating, I am in love",
      "forty kilometres to the lake and back on one charge, fantastic",
      "so quiet that the birds did not notice me, a joy every morning",
      "the kids fight over who sits in front, best family bike ever",
      "the workshop fixed my brakes in ten minutes for free, great people",
      "I sold the car and have never been happier",
    ],
    anger: [
      "the chain broke again in the rain, I am so annoyed",
      "third flat tyre this week, what rubbish",
      "the brakes failed downhill, I was scared to death",
      "the app logs me out every day and then the lock does not open, ridiculous",
      "delivered without pedals, and the shop laughed at me",
      "the battery was stolen in a minute, the lock is worthless",
    ],
    doubt: [
      "which lock do you use at the station?",
      "I am looking for a second battery, any advice?",
      "how far do you get in winter?",
      "can it carry two crates of apples?",
      "the dealer offers test rides on Saturdays",
    ],
  },
  osprey: {
    delight: [
      "eleven minutes to the university, I gained half an hour a day",
      "so clean and quiet, I finished my book on the way, lovely",
      "the driver waited for my mother, such kindness",
      "what a beautiful opening, the whole quarter danced",
      "at last one ticket for everything, thank you",
      "I leave the car at home now, and I enjoy it",
    ],
    anger: [
      "late again, I missed my train and nobody apologised",
      "so full that three of us were left at the stop in the rain, a disgrace",
      "the ticket machine took my money and gave me nothing",
      "no lift at the market stop, how should a wheelchair get in? Outrageous",
      "they cut the evening service without a word, I hate this",
      "the noise at five in the morning is unbearable",
    ],
    doubt: [
      "does it stop at the hospital on Sundays?",
      "will the line be extended to the airport?",
      "where do I find the new timetable?",
      "the council votes on the second line in March",
      "is the night service free for students?",
    ],
  },
};

/** How postings begin before what they say of a subject. */
const OPENINGS = [
  "My {name}:",
  "Two weeks with the {name}:",
  "About the {name},",
  "Honest opinion on the {name}:",
  "{name} news from me:",
  "The {name} again,",
  "So, the {name}:",
  "Everybody asks me about the {name},",
] as const;

/** How some of them end. */
const CLOSINGS = [
  "",
  "",
  "",
  "More tomorrow.",
  "What do you think?",
  "Greetings from the harbour.",
  "Just saying.",
  "I told you so.",
] as const;

/** Postings that nobody asked for. */
const ADVERTS = [
  "WIN A FREE {name}!!! Click the link in my profile now, only 3 left, 100% free prize, act now",
  "Cheap {name} 90% off, buy followers and get cash bonus, visit my page, limited offer!!!",
  "Congratulations, you were selected for a free {name}, send your number to claim the prize today",
] as const;

/** Some postings in languages other than English, by ISO 639-1 code; `{name}` is the subject. */
const OTHER_LANGUAGES: Readonly<Record<"de" | "es" | "fr", Phrases>> = {
  de: {
    delight: [
      "{name}: ich bin begeistert, es funktioniert einfach wunderbar",
      "Seit einer Woche mit {name} unterwegs und jeden Tag glücklich",
      "Danke an das Team von {name}, so freundlich wurde mir noch nie geholfen",
    ],
    anger: [
      "{name} ist schon wieder kaputt, ich bin wirklich wütend",
      "Nie wieder {name}, drei Stunden gewartet und keine Antwort",
      "Was für eine Enttäuschung, {name} war viel zu teuer",
    ],
    doubt: ["Hat jemand Erfahrung mit {name} im Winter?", "Wo finde ich die Anleitung zu {name}?"],
  },
  es: {
    delight: ["Me encanta {name}, es una maravilla", "Muchas gracias a {name}, un servicio excelente"],
    anger: ["{name} llega tarde otra vez, estoy harta", "Qué vergüenza, {name} se ha roto el primer día"],
    doubt: ["¿Alguien sabe cuánto cuesta {name}?", "¿Vale la pena {name}?"],
  },
  fr: {
    delight: ["J'adore {name}, quelle belle surprise", "Merci à l'équipe de {name}, tout est parfait"],
    anger: ["{name} est encore en panne, je suis en colère", "Quelle déception, {name} est vraiment trop cher"],
    doubt: ["Est-ce que {name} fonctionne bien en hiver ?", "Quelqu'un connaît les horaires de {name} ?"],
  },
};
