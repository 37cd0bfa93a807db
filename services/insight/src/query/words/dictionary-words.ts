/** Characters given to Intl.Segmenter at once: its time is quadratic, 15 s for 100,000 characters. */
const CHUNK = 1024;
/** At the end of a chunk that is no end of the run, words may be cut off; they are divided again in the next. */
const TAIL = 32;

let segmenter: Intl.Segmenter | undefined;

/** Reports the words of a run of scripts without spaces, as ranges of it. Takes time linear in its length. */
export function divideByDictionary(run: string, report: (start: number, end: number) => void): void {
  // Made on first use: loading the dictionaries takes time.
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  let start = 0;
  while (start < run.length) {
    const chunk = run.slice(start, start + CHUNK);
    const isLast = start + chunk.length === run.length;
    const limit = isLast ? chunk.length : chunk.length - TAIL;
    let done = 0;
    for (const { index, segment, isWordLike } of segmenter.segment(chunk)) {
      if (index > 0 && index + segment.length > limit) break;
      done = index + segment.length;
      if (isWordLike === true) report(start + index, start + done);
    }
    start += done;
  }
}
