import type { Mood } from "./subject.js";

type Phrases = Readonly<Record<Exclude<Mood, "advert">, readonly [string, ...string[]]>>;

/** Some postings in languages other than English, by ISO 639-1 code; `{name}` is the subject. */
export const OTHER_LANGUAGES: Readonly<Record<"de" | "es" | "fr", Phrases>> = {
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
