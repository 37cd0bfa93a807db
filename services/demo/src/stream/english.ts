import type { Mood, Subject } from "./subject.js";

type Phrases = Readonly<Record<Exclude<Mood, "advert">, readonly [string, ...string[]]>>;

/** What people say in English about each subject. */
export const ENGLISH: Readonly<Record<Subject["key"], Phrases>> = {
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
export const OPENINGS = [
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
export const CLOSINGS = [
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
export const ADVERTS = [
  "WIN A FREE {name}!!! Click the link in my profile now, only 3 left, 100% free prize, act now",
  "Cheap {name} 90% off, buy followers and get cash bonus, visit my page, limited offer!!!",
  "Congratulations, you were selected for a free {name}, send your number to claim the prize today",
] as const;
