const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  nbsp: " ",
};

/** Everything outside printable ASCII and ordinary white space. */
const BEYOND_ASCII = /[^\t\n\r\x20-\x7e]/;

/** Variation selectors, skin tones and zero-width marks (except the joiner) change the appearance, not the meaning. */
const INVISIBLE = /\p{Variation_Selector}|\p{Emoji_Modifier}|\u200b|\u200c|\u2060|\ufeff|\u00ad/gu;

/** Simple HTML, as comment APIs return it; bounded, so that a lone `<` costs little. */
const TAG = /<\/?(?:a|b|br|i|p)\b[^<>]{0,300}>/gi;

/**
 * Unifies spellings that read the same: Unicode compatibility forms, curly quotes, HTML left by collectors. Case is
 * kept, because capitals are a signal. Ill-formed strings (lone surrogates) pass through unchanged.
 */
export const normalize = (text: string): string => {
  let plain = BEYOND_ASCII.test(text) ? fold(text) : text;
  if (plain.includes("<")) plain = plain.replace(TAG, " ");
  return plain.includes("&") ? plain.replace(ENTITY, (whole, name: string) => ENTITIES[name] ?? whole) : plain;
};

const ENTITY = /&(amp|lt|gt|quot|apos|#39|nbsp);/g;

const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(/[\u2018\u2019\u201b\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u201e]/g, '"');
