/** A text for training or evaluation. */
export interface Sample {
  text: string;
  /** Share of each label in the truth; a plain label is `{ label: 1 }`. */
  shares: Readonly<Record<string, number>>;
  /** How much the sample is trusted, 0 to 1. */
  weight: number;
  source: string;
}

/** The label with the greatest share. */
export const mainLabel = ({ shares }: Sample): string =>
  Object.entries(shares).reduce<[string, number]>((best, entry) => (entry[1] > best[1] ? entry : best), ["", 0])[0];
