import type { Analyzer, EngineSettings, TextDocument, Topic } from "../../types.js";
import { type Entity, listsOf, phraseOf } from "../../text/gazetteers.js";
import { trustedIn } from "./topic-languages.js";
import { placeType } from "./entity-rules.js";
import { findNounChunks } from "./noun-chunks.js";
import { topicsOf } from "./topics.js";
import { type Token, tokensOf } from "../../text/tokens.js";
import { wink } from "../../text/wink.js";
import { type EntityTag, mapTags } from "../../engines/hf-text/label-mapping.js";
import { loadTextModel, type TextModel } from "../../engines/hf-text/text-model.js";
import { cutWindows } from "../../engines/hf-text/model-classifier.js";

type Tags = readonly (EntityTag | null)[];

/** The model's output for one word. */
interface TaggedWord {
  tag: EntityTag | null;
  prob: number;
}

/**
 * The `topic` analyzer with entities from a Hugging Face model and noun chunks from the fast engine. Loads the model
 * and wink-nlp. Throws ModelError.
 */
export async function createModelTopic(engines: EngineSettings): Promise<Analyzer<"topic", Topic[]>> {
  wink();
  const model = await loadTextModel("topic", engines);
  const { name, config, settings } = model;
  const tags = mapTags({ name, labels: config.labels, given: settings.labels });
  const key = Symbol("entities by a model");
  return {
    type: "topic",
    engine: "models",
    model: model.ref,
    languages: model.languages,
    async prepare(documents) {
      for (const document of documents) {
        const words = await wordsOf(tokensOf(document), model, tags);
        document.set(key, entitiesOf(tokensOf(document), words));
      }
    },
    analyze(document, { explain }) {
      const entities = document.once<readonly Entity[]>(key, () => {
        throw new Error("topic: the text was not prepared");
      });
      const tokens = tokensOf(document);
      const seen = { text: document.text, tokens, entities, chunks: findNounChunks(tokens) };
      const { annotation, chunks } = trustedIn(languageFor(document, model), seen);
      return topicsOf(annotation, { explain, chunks });
    },
  };
}

/** Entities in a language that the model was made for are trusted like English ones; noun chunks never are. */
const languageFor = ({ language }: TextDocument, { languages }: TextModel): TextDocument["language"] =>
  language.code !== "en" && languages.has(language.code) ? { ...language, code: "und" } : language;

/** The best tag of every word, by its first token piece. */
async function wordsOf(tokens: readonly Token[], model: TextModel, tags: Tags): Promise<TaggedWord[]> {
  const found: TaggedWord[] = [];
  for (const { first, last } of cutWindows(tokens, (token) => model.piecesOf(token).length, model.piecesMax)) {
    const words = tokens.slice(first, last + 1).map((token) => model.piecesOf(token));
    const { logits, before } = await model.tokenLogitsOf(words.flat());
    let row = before;
    for (const pieces of words) {
      const best = bestOfRow(logits, row, tags.length);
      found.push(pieces.length === 0 ? { tag: null, prob: 1 } : { tag: tags[best.index] ?? null, prob: best.prob });
      row += pieces.length;
    }
  }
  return found;
}

function bestOfRow(logits: ArrayLike<number>, row: number, width: number): { index: number; prob: number } {
  const at = (i: number): number => logits[row * width + i] ?? -Infinity;
  let index = 0;
  for (let i = 1; i < width; i++) if (at(i) > at(index)) index = i;
  let sum = 0;
  for (let i = 0; i < width; i++) sum += Math.exp(at(i) - at(index));
  return { index, prob: 1 / sum };
}

function entitiesOf(tokens: readonly Token[], words: readonly TaggedWord[]): Entity[] {
  const spans: { first: number; last: number; type: EntityTag["type"]; prob: number }[] = [];
  words.forEach(({ tag, prob }, at) => {
    if (tag === null) return;
    const open = spans.at(-1);
    if (open?.last === at - 1 && open.type === tag.type && !tag.begins) {
      open.last = at;
      open.prob = Math.min(open.prob, prob);
    } else spans.push({ first: at, last: at, type: tag.type, prob });
  });
  return spans.map(({ first, last, type, prob }) => ({
    first,
    last,
    prob,
    type: type === "PLACE" ? placeType(tokens, last, listsOf(phraseOf(tokens, first, last))) : type,
  }));
}
