import type { Mood, Subject } from "./subject.js";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Days of the stream before it begins to grow. */
export const STORY_DAYS = 14;

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
export interface Moment {
  readonly at: number;
  /** Undefined: any of the subjects. */
  readonly subject: Subject["key"] | undefined;
  readonly moods: Moods;
}

/** The moments of `count` postings of the two weeks before `end`, oldest first. */
export function momentsOf(count: number, end: number, random: () => number): Moment[] {
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
export function momentNow(at: number): Moment {
  return { at, subject: undefined, moods: USUAL };
}

interface Talk {
  readonly hour: number;
  readonly weight: number;
  readonly subject: Subject["key"] | undefined;
  readonly moods: Moods;
}

/** What is said in an hour: less at night, and what events add, which fades. */
function talksOf(hour: number, end: number): Talk[] {
  const usual = 1 + 0.8 * Math.sin(((new Date(hour).getUTCHours() - 8) / 24) * 2 * Math.PI);
  const added = EVENTS.flatMap(({ daysAgo, hours, strength, subject, moods }) => {
    const age = (hour - (end - daysAgo * DAY_MS)) / HOUR_MS;
    return age < 0 || age > hours ? [] : [{ hour, weight: strength * (1 - age / hours) * usual, subject, moods }];
  });
  return [{ hour, weight: usual, subject: undefined, moods: USUAL }, ...added];
}
