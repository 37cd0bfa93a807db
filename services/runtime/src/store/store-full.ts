import { AppError } from "../errors/app-error.js";

const CODE = "store_full";

/** There is no room for another record; nothing of the write it concerns is kept. */
export function storeFull(cause: unknown): AppError {
  return new AppError("unavailable", "The data store is full. Try again once there is room.", {
    code: CODE,
    retryAfterMs: 10_000,
    cause,
  });
}

/** Whether a store has failed because there is no room left. */
export function isStoreFull(error: unknown): boolean {
  return error instanceof AppError && error.code === CODE;
}
