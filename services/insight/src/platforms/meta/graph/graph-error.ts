import * as z from "zod";
import type { JsonResponse } from "../../http-json.js";
import { maybe } from "../../schemas.js";

const errorSchema = z.object({
  error: z.object({
    message: maybe(z.string()),
    code: maybe(z.int()),
    error_subcode: maybe(z.int()),
    is_transient: maybe(z.boolean()),
  }),
});

/** An error of the Graph API. */
export interface GraphError {
  readonly code: number;
  readonly subcode: number | undefined;
  readonly message: string;
  readonly isTransient: boolean;
}

/** Undefined if an answer states no error of the Graph API. */
export function graphErrorOf({ body }: Pick<JsonResponse, "body">): GraphError | undefined {
  const { error } = errorSchema.safeParse(body).data ?? {};
  if (error?.code === undefined) return undefined;
  const { code, error_subcode: subcode, message = "", is_transient: isTransient = false } = error;
  return { code, subcode, message, isTransient };
}
