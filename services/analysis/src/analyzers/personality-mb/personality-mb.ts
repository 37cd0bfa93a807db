import type { Analyzer, Personality, TextDocument } from "../../types.js";
import { supportsLanguage } from "../../text/classification.js";
import { AXES, type Axis, hasEvidence, probabilityOf } from "./axes.js";
import { type Profile, profileOf } from "./profile.js";

/** The `personality-mb` analyzer: published findings on words and personality, unvalidated; see NOTES.md. */
export const createPersonality = (): Analyzer<"personality-mb", Personality> => ({
  type: "personality-mb",
  engine: "fast",
  model: { id: "personality-mb-findings", version: "3" },
  languages: ENGLISH,
  analyze: (document) => preferencesOf(profileIn(document)),
  hasEvidence: (document) => hasEvidence(profileIn(document)),
});

/** Texts in other languages and texts without evidence have an empty profile. */
const profileIn = (document: TextDocument): Profile =>
  document.once(PROFILE, (text) => {
    const profile = profileOf(supportsLanguage(ENGLISH, document.language) ? text : "");
    return hasEvidence(profile) ? profile : profileOf("");
  });

const PROFILE = Symbol("personality profile");

const ENGLISH: ReadonlySet<string> = new Set(["en"]);

function preferencesOf(profile: Profile): Personality {
  const [focus, information, decision, lifestyle] = AXES;
  const [first, second, third, fourth] = [
    prefer(focus, profile),
    prefer(information, profile),
    prefer(decision, profile),
    prefer(lifestyle, profile),
  ];
  return {
    value: first.letter + second.letter + third.letter + fourth.letter,
    prob1: first.probability,
    prob2: second.probability,
    prob3: third.probability,
    prob4: fourth.probability,
  };
}

/** The likelier pole of an axis and its probability, to 4 decimals. */
function prefer(axis: Axis, profile: Profile): { letter: string; probability: number } {
  const [toward, otherwise] = axis.poles;
  const probability = Math.round(probabilityOf(axis, profile) * 1e4) / 1e4;
  return probability >= 0.5
    ? { letter: toward, probability }
    : { letter: otherwise, probability: Math.round((1 - probability) * 1e4) / 1e4 };
}
