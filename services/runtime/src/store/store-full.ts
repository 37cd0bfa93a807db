import { AppError } from "../errors/app-error.js";

const CODE = "store_full";

/** The failure of a write for which there is no storage space; nothing of it is kept. */
export function storeFull(cause: unknown): AppError {
  return new AppError("unavailable", "The data store is full. Try again once there is room.", {
    code: CODE,
    retryAfterMs: 10_000,
    cause,
  });
}

/** Whether a store failed because no storage space is left. */
export function isStoreFull(error: unknown): boolean {
  return error instanceof AppError && error.code === CODE;
}
