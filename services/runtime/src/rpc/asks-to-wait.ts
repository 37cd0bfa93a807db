import type { Message } from "@bufbuild/protobuf";

/** Whether a request may be held back, by the convention of proto/: `wait` is the seconds for which it may be. */
export function asksToWait(request: Message): boolean {
  const { wait } = request as Message & { readonly wait?: unknown };
  return typeof wait === "number" && wait > 0;
}
