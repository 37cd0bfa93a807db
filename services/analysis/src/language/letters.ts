/** What a UTF-16 code unit is to the detector. */
export const OTHER = 0;
export const LETTER = 1;
export const APOSTROPHE = 2;

/** The class of every code unit. Digits, marks, emoji and lone surrogates say nothing about a language. */
export const classOf: Uint8Array = (() => {
  const table = new Uint8Array(0x1_0000);
  const letter = /[\p{L}\p{M}]/u;
  for (let unit = 0; unit < table.length; unit++) {
    if (unit < 0xd800 || unit > 0xdfff) table[unit] = letter.test(String.fromCharCode(unit)) ? LETTER : OTHER;
  }
  for (const mark of ["'", "\u2019", "\u02bc"]) table[mark.charCodeAt(0)] = APOSTROPHE;
  return table;
})();
