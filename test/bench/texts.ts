const SENTENCES = [
  "Just got back from Lisbon and the food was absolutely incredible, already planning the next trip!",
  "The new update broke my phone again, two hours on hold with support and nobody could help me.",
  "Does anyone know if the library in Leeds is open on Sunday afternoon?",
  "You should really try turning the notifications off, it changed how I work.",
  "I wish the summer would never end 😎 #beach #holiday",
  "WINNER!! You have been selected for a £1000 prize, text CLAIM to 80082 now.",
  "Apple and Microsoft both reported record earnings on Thursday, analysts in New York said.",
  "Sorry I was rude to you yesterday, that was completely out of line.",
  "The committee published its report on water quality in the Rhine valley this morning.",
  "Honestly the best concert of my life, Adele was in tears and so were we.",
  "It will probably rain all weekend, so the match against Arsenal might be moved.",
  "I can't believe they cancelled the show after one season, what a waste.",
  "Subscribe to my channel and win a brand new iPhone, link in bio!!!",
  "My grandmother taught me how to bake bread and I still use her old wooden spoon.",
  "Traffic on the M25 is terrible today, leave early if you need to get to Heathrow.",
  "We are hiring two engineers in Berlin, come and build something useful with us.",
  "not gonna lie, I am a bit scared about the exam tomorrow :(",
  "Thank you so much to everyone who helped us move, you are the kindest people.",
  "The battery lasts about six hours and the screen is fine, nothing special.",
  "Actually I was wrong about the election numbers, the official count came out higher.",
];

/** Posts of 100 to 300 characters, the same ones in every run. */
export function benchTexts(count: number): string[] {
  return compose(count, 100).map((text) => text.slice(0, 300));
}

/**
 * Posts of one or two sentences, with 110 characters on average like those of the data sets; the same ones in every
 * run.
 */
export function shortPosts(count: number): string[] {
  return compose(count, 75);
}

/** Texts of 2,000 characters, the same ones in every run. */
export function longTexts(count: number): string[] {
  return compose(count, 2000).map((text) => text.slice(0, 2000));
}

/** Texts of whole sentences with at least this many characters. */
function compose(count: number, charactersMin: number): string[] {
  let state = 42;
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8;
  return Array.from({ length: count }, () => {
    let text = "";
    while (text.length < charactersMin) {
      const sentence = SENTENCES[next() % SENTENCES.length] ?? "";
      text = text === "" ? sentence : `${text} ${sentence}`;
    }
    return text;
  });
}
