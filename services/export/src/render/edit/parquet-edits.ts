import { ParquetEditor } from "./parquet-editor.js";
import type { GroupEdit, OpenedParquet } from "./parquet-thread.js";

let editor: ParquetEditor | undefined;

/** Runs in the thread, called by name, with the footer. A file that was opened before is dropped. */
export function openParquet(footer: Uint8Array): OpenedParquet {
  editor = new ParquetEditor(footer);
  return { first: editor.begin(), groups: editor.groups };
}

/** Runs in the thread, called by name: the group follows as it is. */
export function keepGroup(index: number): void {
  opened().keep(index);
}

/** Runs in the thread, called by name: the bytes of the group without some of its rows. */
export function editGroup(edit: GroupEdit): Uint8Array {
  return opened().edit(edit);
}

/** Runs in the thread, called by name, once: the last bytes of the file. */
export function closeParquet(): Uint8Array {
  const last = opened().end();
  editor = undefined;
  return last;
}

function opened(): ParquetEditor {
  if (editor === undefined) throw new Error("No Parquet file is open.");
  return editor;
}
