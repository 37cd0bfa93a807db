import { intention } from "./intention.js";
import type { Recipe } from "../linear/recipe.js";
import { sentimentReal } from "./sentiment-real.js";
import { sentimentSimple } from "./sentiment-simple.js";
import { spamDetection } from "./spam-detection.js";

/** All linear models, in the order of training and evaluation. */
export const RECIPES: readonly Recipe[] = [sentimentSimple, sentimentReal, intention, spamDetection];
