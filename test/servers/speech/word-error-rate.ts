/**
 * How much of a text was heard wrongly: words put in, left out and mistaken for others, in the shortest way from one to the
 * other, over the words that were said. Case and punctuation do not count.
 */
export function wordErrorRate(said: string, heard: string): number {
  const wanted = wordsOf(said);
  const got = wordsOf(heard);
  /** Errors between what was said so far and each beginning of what was heard. */
  let errors = Array.from({ length: got.length + 1 }, (_, index) => index);
  for (const [at, word] of wanted.entries()) {
    const next = [at + 1];
    for (const [index, other] of got.entries()) {
      const mistaken = errors[index]! + (word === other ? 0 : 1);
      next.push(Math.min(mistaken, errors[index + 1]! + 1, next[index]! + 1));
    }
    errors = next;
  }
  return errors.at(-1)! / wanted.length;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
}
