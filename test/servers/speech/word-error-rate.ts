/**
 * The word error rate: the minimum number of inserted, omitted and substituted words, divided by the number of spoken
 * words. Case and punctuation are ignored.
 */
export function wordErrorRate(said: string, heard: string): number {
  const wanted = wordsOf(said);
  const got = wordsOf(heard);
  /** Edit distances between the spoken words so far and each prefix of the transcript. */
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
