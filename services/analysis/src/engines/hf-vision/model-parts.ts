/** The parts of a vision model that an analysis needs. */
export interface ModelParts {
  /** Required files. */
  readonly files: readonly string[];
  /** Required networks, all in one folder. */
  readonly networks: readonly string[];
}

const CONFIG = ["config.json", "preprocessor_config.json"];
const WITH_TOKENIZER = [...CONFIG, "tokenizer.json", "tokenizer_config.json"];

/** Models that find objects. */
export const DETECTOR: ModelParts = { files: CONFIG, networks: ["model"] };

/** Models that compare a picture with sentences. */
export const ZERO_SHOT: ModelParts = { files: WITH_TOKENIZER, networks: ["text_model", "vision_model"] };

/** Models that describe a picture in a sentence. */
export const CAPTIONER: ModelParts = { files: WITH_TOKENIZER, networks: ["encoder_model", "decoder_model_merged"] };
