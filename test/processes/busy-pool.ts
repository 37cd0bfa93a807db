import { createAnalysisPool, TEXTUAL_ANALYSES } from "@hourglass/analysis";

/** A process that ends while its threads analyze: `exit` immediately, `close` after closing the pool. */
const [, , how] = process.argv;
const pool = createAnalysisPool({ threads: 2 });
const texts = Array.from({ length: 1000 }, (_, i) =>
  `We met Anna Smith in Paris on day ${i}, and it was lovely. `.repeat(9),
);

let ending = false;
const onTimed = (): void => {
  if (ending) return;
  ending = true;
  if (how === "exit") process.exit(0);
  void pool.close().then(() => process.exit(0));
};

try {
  await pool.analyze(texts, TEXTUAL_ANALYSES, { onTimed });
} catch {
  // closed during the analysis, as intended
}
