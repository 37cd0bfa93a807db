/**
 * Whether a text of an error is one or more whole sentences in plain English: it starts with a capital letter, ends with a
 * full stop, and holds nothing that only a program would write.
 */
export function isWholeSentence(text: string): boolean {
  const words = text.split(" ");
  const isClean = words.length >= 3 && words.every((word) => word !== "") && !/undefined|\[object|NaN|\n/.test(text);
  return isClean && /^[A-Z]/.test(text) && text.endsWith(".") && !text.endsWith("..");
}
