import { parseArgs } from "node:util";

/** What the command line of the scripts may say. */
export interface Arguments {
  /** Folder of the data sets, laid out as `<name>/{train,dev}.jsonl.gz`. */
  dataDir: string;
  /** Analyses to work on; empty means all. */
  analyses: string[];
  /** Engine to evaluate; all when left out. */
  engine?: string;
  /** Folder that calibration plots are written to; none when left out. */
  plots?: string;
  /** Folder of the photos that analyses of pictures are judged on; those of texts are not judged then. */
  photos?: string;
  /** Folder of the models that speech is judged with; nothing else is judged then. */
  speech?: string;
}

/** What this process was asked to do. */
export const commandLine = (): Arguments => readArguments(process.argv.slice(2), process.env);

/** Reads `[analysis …] [--data DIR] [--engine fast|accurate] [--plots FOLDER] [--photos FOLDER] [--speech MODELS_DIR]`; DIR falls back to DATASETS_DIR, then to `./datasets`. Unknown options throw. */
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
  };
};
