import type { ClassifyingAnalysis } from "@hourglass/analysis";
import type { EncoderTask } from "@hourglass/analysis/training";

/** A language is supported from these scores on: accuracy on clear sentences and, where there are posts, macro-F1 on them. */
const MACRO_F1_MIN = 0.5;
const ACCURACY_MIN: Readonly<Record<ClassifyingAnalysis, number>> = {
  "sentiment-simple": 0.75,
  "sentiment-real": 0.7,
  intention: 0.75,
  // Of 26 sentences two are spam: at most one error.
  "spam-detection": 0.96,
};

/** The languages that the figures of a classification support, in their order. */
export const supportedLanguages = (
  analysis: ClassifyingAnalysis,
  { clearByLanguage = {}, devByLanguage = {} }: Pick<EncoderTask, "clearByLanguage" | "devByLanguage">,
): string[] =>
  Object.entries(clearByLanguage)
    .flatMap(([language, { accuracy = 0 }]) => {
      const onPosts = devByLanguage[language]?.["macroF1"] ?? 1;
      return accuracy >= ACCURACY_MIN[analysis] && onPosts >= MACRO_F1_MIN ? language : [];
    })
    .sort();
