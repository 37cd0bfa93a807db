import type { ClassifyingAnalysis } from "../../../text/classification.js";

/** The hypothesis for each label, for models without labels of their own. */
export const HYPOTHESES: Readonly<Record<ClassifyingAnalysis, Readonly<Record<string, string>>>> = {
  "sentiment-simple": {
    positive: "The author feels positive about it.",
    neutral: "The author is neutral about it.",
    negative: "The author feels negative about it.",
  },
  "sentiment-real": {
    acceptance: "The author accepts or approves of something.",
    acceptance_self: "The author accepts himself or herself.",
    anger: "The author is angry.",
    annoyance: "The author is annoyed.",
    anxiety: "The author is anxious.",
    calmness: "The author is calm.",
    contentment: "The author is content.",
    disgust: "The author is disgusted by something.",
    disgust_self: "The author is disgusted by himself or herself.",
    dislike: "The author dislikes something.",
    dislike_self: "The author is ashamed or regrets what he or she did.",
    eagerness: "The author is eager or excited.",
    fear: "The author is afraid.",
    joy: "The author is joyful.",
    melancholy: "The author is disappointed or melancholic.",
    pleasantness: "The author likes, loves or admires something.",
    pleasantness_self: "The author is proud of himself or herself.",
    responsiveness: "The author is curious.",
    sadness: "The author is sad.",
    serenity: "The author is at peace.",
  },
  "spam-detection": {
    spam: "This is unwanted advertising or a scam.",
    ham: "This is an ordinary message.",
  },
  intention: {
    assertion: "The author states a fact.",
    valuation: "The author gives an opinion or judges something.",
    palinode: "The author takes back something that he or she said before.",
    contrition: "The author apologises.",
    forecast: "The author predicts what will happen.",
    wish: "The author wishes for something.",
    proposal: "The author suggests something.",
    inducement: "The author urges somebody to do something.",
    none: "The author asks a question.",
  },
};
