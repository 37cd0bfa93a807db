import { signal } from "@preact/signals";
import { describeError } from "../data/failure.js";
import { toast } from "./toasts.js";

/** How long a deletion can be undone. In milliseconds. */
const UNDO_MS = 10_000;

interface Pending {
  readonly send: (keepalive: boolean) => Promise<unknown>;
  readonly cancel: () => void;
}

const pending = new Map<string, Pending>();
/** What is about to be deleted: lists leave it out. */
export const leaving = signal<ReadonlySet<string>>(new Set());

/** Leaving the page confirms what waits to be deleted. */
addEventListener("pagehide", () => void confirmDeletions());

/** Deletes now what waits to be deleted, such as before a sign-out. */
export async function confirmDeletions(): Promise<void> {
  await Promise.all(
    [...pending.values()].map(({ send, cancel }) => {
      cancel();
      return send(true).catch(() => undefined);
    }),
  );
}

/** Keeps a record that waits to be deleted; false if it does not. */
export function undoDeletion(record: string): boolean {
  const found = pending.get(record);
  found?.cancel();
  return found !== undefined;
}

export interface Deletion {
  /** Such as `insight/12`. */
  readonly record: string;
  /** What the message says. */
  readonly text: string;
  /** Sends the request; `keepalive`: the page may be gone before it is answered. */
  readonly send: (keepalive: boolean) => Promise<unknown>;
  /** After the server has deleted it. */
  readonly onDone?: () => void | Promise<void>;
}

/** Deletes a record after ten seconds, in which the user can undo it. */
export function deleteLater({ record, text, send, onDone }: Deletion): void {
  if (pending.has(record)) return;
  const end = (): void => {
    clearTimeout(timer);
    pending.delete(record);
    leaving.value = new Set(pending.keys());
    remove();
  };
  const timer = setTimeout(() => {
    end();
    send(false).then(
      () => onDone?.(),
      (error: unknown) => toast(describeError(error).title, { isProblem: true }),
    );
  }, UNDO_MS);
  const remove = toast(text, { undo: end });
  pending.set(record, { send, cancel: end });
  leaving.value = new Set(pending.keys());
}
