import type { CodeUnits } from "./unicode.js";

/** Receives shorter forms of a word, by which it is found, too. */
type Report = (start: number, end: number) => void;

const APOSTROPHE = 0x27;
const SUFFIX_UNITS_MAX = 8;
const STEM_UNITS_MIN = 2;

/** Endings that Turkic languages put behind the apostrophe of a name, folded: `un`, `da`, `daki`, `lar`, `ya`, `nin`. */
const TURKIC =
  /^(?:l[ae]r)?(?:(?:[ns]?[iu]|[iu]m|[iu]n)?(?:n?[iu]n|[yns]?[iuae]|n?[dt][ae]n?(?:ki(?:l[ae]r)?)?|y?l[ae]|n?c[ae]|l[iu]k?|s[iu]z|c[iu]|[dt][iu]r)?)$/;
/** Those of Estonian, Finnish, Lithuanian and Polish. */
const OTHERS: ReadonlySet<string> = new Set(
  "is ist iga ile ilt ini ks ta te n ssa lla lle lta sta o ui ego emu em owi owie ow ami ach y ym".split(" "),
);

/** Reports the part of a folded word before its last apostrophe, if an ending stands behind it: `samsung` of `samsung'un`. */
export function stemBeforeApostrophe(text: CodeUnits, { start, end }: WordPlace, report: Report): void {
  const earliest = Math.max(start + STEM_UNITS_MIN, end - 1 - SUFFIX_UNITS_MAX);
  for (let index = end - 2; index >= earliest; index -= 1) {
    if (text.charCodeAt(index) !== APOSTROPHE) continue;
    const suffix = text.slice(index + 1, end);
    if (TURKIC.test(suffix) || OTHERS.has(suffix)) report(start, index);
    return;
  }
}

interface WordPlace {
  readonly start: number;
  readonly end: number;
}

const [ALEF, LAM, WAW, FEH, BEH, KAF] = Array.from("\u0627\u0644\u0648\u0641\u0628\u0643", (char) =>
  char.charCodeAt(0),
);
const ARTICLE_STEM_MIN = 3;
const ARABIC = { from: 0x620, to: 0x64a };

/** Whether a code unit is a letter of Arabic. */
export function isArabic(unit: number): boolean {
  return unit >= ARABIC.from && unit <= ARABIC.to;
}

/** Reports an Arabic word without its article, and without what is written together with that: `كتاب` of `والكتاب`. */
export function stemsBehindArticle(text: CodeUnits, { start, end }: WordPlace, report: Report): void {
  let at = start;
  const unit = (index: number): number => (index < end ? text.charCodeAt(index) : 0);
  if (unit(at) === WAW || unit(at) === FEH) at += 1;
  if (unit(at) === BEH || unit(at) === KAF) at += 1;
  const isArticle = (unit(at) === ALEF || (unit(at) === LAM && at <= start + 1)) && unit(at + 1) === LAM;
  if (!isArticle || end - at - 2 < ARTICLE_STEM_MIN) return;
  if (at > start && unit(at) === ALEF) report(at, end);
  report(at + 2, end);
}

const SYLLABLES = { from: 0xac00, to: 0xd7a3, finals: 28, finalL: 8 };

/** What a particle follows: a syllable with a final consonant, one without, or any. */
type Follows = "consonant" | "vowel" | "any";

interface Particle {
  readonly text: string;
  readonly follows: Follows;
  /** Another particle may stand behind it. */
  readonly isInner: boolean;
}

const PARTICLES: Readonly<Record<Follows, { inner: string; last: string }>> = {
  any: {
    inner: "에서 에 에게 에게서 한테 께 까지 부터 만 들 하고 처럼 보다 마다",
    last: "의 도 께서 조차 마저 밖에 뿐 씩",
  },
  consonant: { inner: "과 으로", last: "이 은 을 이나 이라 이란 이랑 이며 이고 이라고 이라는 이라도 이다 입니다" },
  vowel: { inner: "와 로", last: "가 는 를 나 라 란 랑 며 라고 라는 라도" },
};

/** By their last syllable. */
const byLast = new Map<number, Particle[]>();
for (const follows of ["any", "consonant", "vowel"] as const) {
  for (const kind of ["inner", "last"] as const) {
    for (const text of PARTICLES[follows][kind].split(" ")) {
      const last = text.charCodeAt(text.length - 1);
      byLast.set(last, [...(byLast.get(last) ?? []), { text, follows, isInner: kind === "inner" }]);
    }
  }
}

/** Particles in a row, such as 들에게는. */
const IN_A_ROW = 3;

/** Reports a Korean word without the particles at its end: `삼성` of `삼성이`, `삼성에서` and `삼성` of `삼성에서는`. */
export function stemsBeforeParticles(text: CodeUnits, { start, end }: WordPlace, report: Report): void {
  let last = end;
  for (let count = 0; count < IN_A_ROW; count += 1) {
    const particle = particleBefore(text, { start, end: last }, count > 0);
    if (particle === undefined) return;
    last -= particle.text.length;
    report(start, last);
  }
}

/** The longest particle at the end of a word, which must leave more than a syllable unless it is one itself. */
function particleBefore(text: CodeUnits, { start, end }: WordPlace, isInner: boolean): Particle | undefined {
  let found: Particle | undefined;
  for (const particle of byLast.get(text.charCodeAt(end - 1)) ?? []) {
    const from = end - particle.text.length;
    if (isInner && !particle.isInner) continue;
    if (from - start < (particle.text.length > 1 || isInner ? 2 : 1)) continue;
    if (found !== undefined && found.text.length >= particle.text.length) continue;
    if (text.slice(from, end) === particle.text && canFollow(text.charCodeAt(from - 1), particle)) found = particle;
  }
  return found;
}

function canFollow(syllable: number, { text, follows }: Particle): boolean {
  if (syllable < SYLLABLES.from || syllable > SYLLABLES.to) return false;
  const final = (syllable - SYLLABLES.from) % SYLLABLES.finals;
  if (follows === "any") return true;
  // The final ㄹ takes 로, too.
  if (final === SYLLABLES.finalL && text.endsWith("로")) return text === "로";
  return final > 0 === (follows === "consonant");
}
