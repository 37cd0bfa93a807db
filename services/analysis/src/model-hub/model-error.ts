/**
 * `absent`: not on this machine; `damaged`: the files differ from the download; `unreachable`: the hub may answer
 * later; `refused`: another model, token or setting is needed; `disk`: the disk is full or not writable.
 */
export type ModelErrorKind = "absent" | "damaged" | "unreachable" | "refused" | "disk";

/** A model is unavailable or unusable; `message` tells the operator what to do. */
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
