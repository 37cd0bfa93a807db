/** English, and the languages for which clear sentences were written to measure the accurate engine. ISO 639-1. */
export const WRITTEN_LANGUAGES: readonly string[] =
  "ar cs da de el en es fa fi fr he hi hu id it ja ko nb nl pl pt ro ru sv th tr uk vi zh".split(" ");

/** The same without languages in which an analysis did not reach its limit. */
export function writtenLanguagesWithout(...missing: readonly string[]): readonly string[] {
  return WRITTEN_LANGUAGES.filter((language) => !missing.includes(language));
}
