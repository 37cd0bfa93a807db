/**
 * Whether an error message consists of whole sentences in plain English: it starts with a capital letter, or with the
 * name of a field and a colon, ends with a full stop, and contains no program syntax.
 */
export function isWholeSentence(text: string): boolean {
  const words = text.split(" ");
  const isClean = words.length >= 3 && words.every((word) => word !== "") && !/undefined|\[object|NaN|\n/.test(text);
  return isClean && /^([A-Z]|[\w.[\]-]+: )/.test(text) && text.endsWith(".") && !text.endsWith("..");
}
