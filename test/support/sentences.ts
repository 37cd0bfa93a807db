/**
 * Whether an error message consists of whole sentences in plain English: it starts with a capital letter, ends with a
 * full stop, and contains no program syntax.
 */
export function isWholeSentence(text: string): boolean {
  const words = text.split(" ");
  const isClean = words.length >= 3 && words.every((word) => word !== "") && !/undefined|\[object|NaN|\n/.test(text);
  return isClean && /^[A-Z]/.test(text) && text.endsWith(".") && !text.endsWith("..");
}
