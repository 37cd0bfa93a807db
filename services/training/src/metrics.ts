/** One judgement of a classifier: the predicted label, its probability, and the true label. */
export interface Judgement {
  predicted: string;
  prob: number;
  truth: string;
  source: string;
}

/** Share of judgements that were right. */
export const accuracy = (judgements: readonly Judgement[]): number =>
  judgements.filter(({ predicted, truth }) => predicted === truth).length / (judgements.length || 1);

/** Mean of the F1 of every label that occurs as truth. */
export const macroF1 = (judgements: readonly Judgement[]): number => {
  const labels = [...new Set(judgements.map(({ truth }) => truth))];
  return labels.reduce((sum, label) => sum + f1(judgements, label), 0) / (labels.length || 1);
};

const f1 = (judgements: readonly Judgement[], label: string): number => {
  let hits = 0;
  let said = 0;
  let meant = 0;
  for (const { predicted, truth } of judgements) {
    if (predicted === label) said++;
    if (truth === label) meant++;
    if (predicted === label && truth === label) hits++;
  }
  return said + meant === 0 ? 0 : (2 * hits) / (said + meant);
};

const BINS = 15;

/** Expected calibration error: the difference between confidence and accuracy, over 15 bins of equal width. */
export const calibrationError = (judgements: readonly Judgement[]): number => {
  const bins = Array.from({ length: BINS }, () => ({ certainty: 0, right: 0 }));
  for (const { prob, predicted, truth } of judgements) {
    const bin = bins[Math.min(BINS - 1, Math.floor(prob * BINS))];
    if (bin === undefined) continue;
    bin.certainty += prob;
    bin.right += predicted === truth ? 1 : 0;
  }
  const gap = bins.reduce((sum, { certainty, right }) => sum + Math.abs(certainty - right), 0);
  return gap / (judgements.length || 1);
};
