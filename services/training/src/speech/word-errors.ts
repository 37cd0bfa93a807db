/** Words in the form in which they are compared: without marks and capitals, numbers up to twenty spelled out. */
export function wordsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll("\u2019", "'")
    .replace(/[^\p{L}\p{N}']+/gu, " ");
  return plain
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => NUMBERS[Number(word)] ?? word);
}

const NUMBERS: readonly string[] = [
  ...["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
  ...["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"],
];

/** The word edit distance between transcript and spoken text. */
export function wordErrors(said: readonly string[], heard: readonly string[]): number {
  let above = heard.map((_, i) => i + 1);
  for (const [row, word] of said.entries()) {
    let left = row + 1;
    let corner = row;
    const current = heard.map((other, column) => {
      left = Math.min(above[column]! + 1, left + 1, corner + (word === other ? 0 : 1));
      corner = above[column]!;
      return left;
    });
    above = current;
  }
  return above.at(-1) ?? said.length;
}
