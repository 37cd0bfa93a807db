/** Longer texts are sampled by windows spread evenly over the text, so that no single part decides. */
const LENGTH_MAX = 1000;
const WINDOWS = 5;
const WINDOW_LENGTH = LENGTH_MAX / WINDOWS;

/** Addresses, handles and HTML entities contain English letters in posts of every language. */
const NOISE = /(?:https?:\/\/|www\.)\S+|[\w.+-]{0,64}@\w[\w.]{0,64}|&(?:amp|lt|gt|quot|nbsp|#39);/gi;
const NOISE_SIGN = /[@/&]|www/i;

/** Stylised letters: mathematical alphabets, full-width Latin, Arabic presentation forms. */
const DRESSED = /[\ud835\uff21-\uff5a\ufb50-\ufdff\ufe70-\ufefc]/;
const COMBINING = /[\u0300-\u036f]/;

/**
 * The part of a text used for language detection, in lower case: at most 1,000 characters, without addresses and
 * handles.
 */
export const clean = (text: string): string => tidy(text).toLowerCase();

/** What `clean` puts into lower case. */
export const tidy = (text: string): string => {
  let part = text.length > LENGTH_MAX ? sample(text) : text;
  if (NOISE_SIGN.test(part)) part = part.replace(NOISE, " ");
  if (DRESSED.test(part)) part = part.normalize("NFKC");
  else if (COMBINING.test(part)) part = part.normalize("NFC");
  return part;
};

const sample = (text: string): string => {
  const stride = (text.length - WINDOW_LENGTH) / (WINDOWS - 1);
  return Array.from({ length: WINDOWS }, (_, i) => {
    const start = Math.round(i * stride);
    return text.slice(start, start + WINDOW_LENGTH);
  }).join(" ");
};
