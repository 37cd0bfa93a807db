/** The engine chosen for an analysis. */
export interface EngineChoice<A> {
  /** The analysis. */
  type: string;
  engine: string;
  /** Names of the engines that the analysis has. */
  engines: readonly string[];
  /** Undefined if the analysis does not have that engine. */
  load: (() => Promise<A>) | undefined;
}

/** Loads the analyzer of an engine. Rejects with a sentence for the operator. */
export const loadEngine = async <A>({ type, engine, engines, load }: EngineChoice<A>): Promise<A> => {
  if (load === undefined) {
    throw new Error(`there is no engine ${engine} for ${type}, only ${engines.join(" and ")}`);
  }
  try {
    return await load();
  } catch (error) {
    throw new Error(`the engine ${engine} cannot be loaded: ${reasonOf(error)}`, { cause: error });
  }
};

/** The message of a thrown value. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
