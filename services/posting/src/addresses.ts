/** Characters that mean the same with and without percent sign (RFC 3986, section 2.3). */
const UNRESERVED = /^[A-Za-z0-9._~-]$/;

/**
 * One spelling of an address, by which postings are recognized: without the letter case of its host, the usual port,
 * percent signs before characters that need none, and `#` with nothing or `top` behind it, which is the page itself. Any
 * other fragment stays: forums name postings by it. A text that is no address stays as it is.
 */
export function canonicalUrl(text: string): string {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return trimmed;
  const url = new URL(trimmed);
  if (/^#(?:top|:~:.*)?$/is.test(url.hash)) url.hash = "";
  // An empty fragment leaves its sign.
  const { href } = url;
  return (href.endsWith("#") ? href.slice(0, -1) : href).replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
}
