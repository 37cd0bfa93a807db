/**
 * `absent`: not on this machine; `damaged`: its files are not what was downloaded; `unreachable`: the hub may answer
 * later; `refused`: another model, token or setting is needed; `disk`: the disk is full or cannot be written.
 */
export type ModelErrorKind = "absent" | "damaged" | "unreachable" | "refused" | "disk";

/** A model cannot be had or used; `message` is for the operator and says what to do. */
export class ModelError extends Error {
  override readonly name = "ModelError";

  constructor(
    readonly kind: ModelErrorKind,
    message: string,
    options?: { cause: unknown },
  ) {
    super(message, options);
  }
}

/** The command that downloads a model. */
export const pullCommand = (model: string): string => `npm run models -- pull ${model}`;
