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

const FOREIGN_SENTENCES = [
  "Acabo de volver de Lisboa y la comida fue increíble, ya estoy planeando el próximo viaje.",
  "Das neue Update hat mein Handy schon wieder lahmgelegt, zwei Stunden in der Warteschleife.",
  "Quelqu'un sait si la bibliothèque de Lyon est ouverte le dimanche après-midi ?",
  "Vorrei che l'estate non finisse mai 😎 #mare #vacanze",
  "A bateria dura umas seis horas e o ecrã é razoável, nada de especial.",
  "Comitetul a publicat în această dimineață raportul despre calitatea apei din Dunăre.",
  "Sorry dat ik gisteren zo onaardig deed, dat was echt niet nodig.",
  "Babcia nauczyła mnie piec chleb i do dziś używam jej drewnianej łyżki.",
  "Сегодня на кольцевой ужасные пробки, выезжайте пораньше, если вам в аэропорт.",
  "أفضل حفلة في حياتي، بكت المغنية وبكينا معها.",
  "明天的考试有点紧张，希望一切顺利。",
  "新しいアップデートのせいでまたスマホが動かなくなった。",
  "Bu hafta sonu büyük ihtimalle yağmur yağacak, maç ertelenebilir.",
  "पुस्तकालय रविवार को खुला रहता है क्या, किसी को पता है?",
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

/** Posts like `shortPosts` in fourteen other languages than English. */
export function foreignPosts(count: number): string[] {
  return compose(count, 75, FOREIGN_SENTENCES);
}

/** Texts of 2,000 characters, the same ones in every run. */
export function longTexts(count: number): string[] {
  return compose(count, 2000).map((text) => text.slice(0, 2000));
}

/** Texts of whole sentences with at least this many characters. */
function compose(count: number, charactersMin: number, sentences: readonly string[] = SENTENCES): string[] {
  let state = 42;
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8;
  return Array.from({ length: count }, () => {
    let text = "";
    while (text.length < charactersMin) {
      const sentence = sentences[next() % sentences.length] ?? "";
      text = text === "" ? sentence : `${text} ${sentence}`;
    }
    return text;
  });
}
