import { parseArgs } from "node:util";

/** Command-line arguments of the scripts. */
export interface Arguments {
  /** Folder of the data sets, laid out as `<name>/{train,dev}.jsonl.gz`. */
  dataDir: string;
  /** Analyses to work on; empty means all. */
  analyses: string[];
  /** Engine to evaluate; all if omitted. */
  engine?: string;
  /** Folder for calibration plots; none are written if omitted. */
  plots?: string;
  /** Folder of the photos for evaluating the analyses of pictures; those of texts are skipped then. */
  photos?: string;
  /** Folder of the models for evaluating speech recognition; everything else is skipped then. */
  speech?: string;
  /** Folder of recordings of people and of music for that; without it, synthetic voices only. */
  recordings?: string;
}

/** The arguments of this process. */
export const commandLine = (): Arguments => readArguments(process.argv.slice(2), process.env);

/**
 * Parses `[analysis …] [--data DIR] [--engine fast|accurate] [--plots FOLDER] [--photos FOLDER] [--speech MODELS_DIR [--recordings FOLDER]]`;
 * DIR defaults to DATASETS_DIR, then to `./datasets`. Throws on unknown options.
 */
export const readArguments = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Arguments => {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      data: { type: "string" },
      engine: { type: "string" },
      plots: { type: "string" },
      photos: { type: "string" },
      speech: { type: "string" },
      recordings: { type: "string" },
    },
    allowPositionals: true,
  });
  return {
    dataDir: values.data ?? env.DATASETS_DIR ?? "datasets",
    analyses: positionals,
    ...(values.engine === undefined ? {} : { engine: values.engine }),
    ...(values.plots === undefined ? {} : { plots: values.plots }),
    ...(values.photos === undefined ? {} : { photos: values.photos }),
    ...(values.speech === undefined ? {} : { speech: values.speech }),
    ...(values.recordings === undefined ? {} : { recordings: values.recordings }),
  };
};
