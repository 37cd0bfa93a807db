/** Classes of UTF-16 code units. */
export const OTHER = 0;
export const LETTER = 1;
export const APOSTROPHE = 2;

/** One class per code unit. Digits, punctuation, emoji and surrogates, lone or paired, only separate words. */
export const classOf: Uint8Array = (() => {
  const table = new Uint8Array(0x1_0000);
  const letter = /[\p{L}\p{M}]/u;
  const ornament = /[\p{Variation_Selector}\p{Me}]/u;
  for (let unit = 0; unit < table.length; unit++) {
    if (unit >= 0xd800 && unit <= 0xdfff) continue;
    const character = String.fromCharCode(unit);
    if (letter.test(character) && !ornament.test(character)) table[unit] = LETTER;
  }
  for (const mark of "'\u2019\u02bc") table[mark.charCodeAt(0)] = APOSTROPHE;
  return table;
})();
