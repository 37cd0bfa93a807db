import { AppError, type Measurements } from "@hourglass/runtime";
import type { CreateOperation } from "./create-operation.js";

/** How requests are refused because there is too much to do. */
const SHED_CODES: readonly string[] = ["too_many_unfinished_operations", "overloaded"];

/** Counts the requests that are refused because of too much to do. */
export function countingShed(create: CreateOperation, metrics: Measurements): CreateOperation {
  return async (request, caller) => {
    try {
      return await create(request, caller);
    } catch (error) {
      if (error instanceof AppError && SHED_CODES.includes(error.code)) metrics.countRequestShed(error.code);
      throw error;
    }
  };
}
