import { latin, type Parser, peek, type Position, skip, take, TAKE_MAX, uint32, uint64 } from "./bytes.js";
import { damaged } from "./facts.js";

/** Descendants of a top-level box; films of 15 minutes have a few hundred. */
const CHILDREN_MAX = 10_000;
const BOX_TYPE = /^[\x20-\x7e\xa9]{4}$/;

/** A box of an MP4. ISO/IEC 14496-12, 4.2. */
export interface Box {
  type: string;
  /** First byte of its header. */
  start: number;
  /** Offset after its last byte; Infinity if it extends to the end of the file. */
  end: number;
}

/** Handles a child; it need not read all of it. */
export type Visit = (box: Box) => Parser<void>;

/** Handlers of the children of a box, by type. Other children are skipped. */
interface Visits {
  /** At most one of each. */
  once: Partial<Record<string, Visit>>;
  several?: Partial<Record<string, Visit>>;
}

/**
 * Reads the header of a box that must end within its parent. At the top level, where the parent's end is Infinity, a
 * box may extend to the end of the file.
 */
export function* readBox(at: Position, parentEnd: number): Parser<Box> {
  const start = at.position;
  const head = yield take(8);
  const type = latin(head, 4, 8);
  if (!BOX_TYPE.test(type)) throw damaged("mp4", `at byte ${start} no part of it begins`);
  let bytes = uint32(head, 0);
  if (bytes === 1) bytes = uint64(yield take(8), 0);
  else if (bytes === 0 && parentEnd === Infinity) bytes = Infinity;
  const end = start + bytes;
  if (end < at.position) throw damaged("mp4", `its part ${type} says that it has ${bytes} bytes`);
  if (end > parentEnd || (end !== Infinity && !Number.isSafeInteger(end))) {
    throw damaged("mp4", `its part ${type} says that it has ${bytes} bytes, which is more than there is room for`);
  }
  return { type, start, end };
}

/** Whether a box at the top level can begin with these bytes; only the last one, with samples, may have no length. */
export function beginsBox(head: Uint8Array): boolean {
  if (head.length < 8) return false;
  const [bytes, type] = [uint32(head, 0), latin(head, 4, 8)];
  return BOX_TYPE.test(type) && (bytes >= 8 || bytes === 1 || (bytes === 0 && type === "mdat"));
}

/** Reads the children up to the end of their parent; zeros may follow them. */
export function* readChildren(parent: Box, at: Position, { once, several = {} }: Visits): Parser<void> {
  const seen = new Set<string>();
  for (let children = 0; parent.end - at.position >= 8; children++) {
    if (children > CHILDREN_MAX) throw damaged("mp4", `its part ${parent.type} has more than ${CHILDREN_MAX} parts`);
    if ((yield peek(8)).every((byte) => byte === 0)) break;
    const box = yield* readBox(at, parent.end);
    const single = once[box.type];
    if (single !== undefined && seen.has(box.type))
      throw damaged("mp4", `it has two parts ${box.type} in one ${parent.type}`);
    seen.add(box.type);
    const visit = single ?? several[box.type];
    if (visit !== undefined) yield* visit(box);
    yield* skipRest(box, at);
  }
  yield* skipRest(parent, at);
}

function* skipRest(box: Box, at: Position): Parser<void> {
  if (at.position < box.end) yield skip(box.end - at.position);
}

/** Reads the next bytes of the box: exactly `least`, or up to `most` if it has more. */
export function* readFields(box: Box, at: Position, least: number, most = least): Parser<Uint8Array> {
  const room = box.end - at.position;
  if (room < least) throw damaged("mp4", `its part ${box.type} is too short`);
  return yield take(Math.min(room, most, TAKE_MAX));
}

/** Reads a table of fixed-size entries; the callback receives each entry as a piece and its offset in the piece. */
export function* readTable(
  box: Box,
  at: Position,
  table: { entries: number; entryBytes: number },
  show: (piece: Uint8Array, from: number) => void,
): Parser<void> {
  const { entries, entryBytes } = table;
  if (entries * entryBytes > box.end - at.position) {
    throw damaged(
      "mp4",
      `its part ${box.type} says that it has ${entries} entries, which is more than there is room for`,
    );
  }
  const atOnce = Math.floor(TAKE_MAX / entryBytes);
  for (let left = entries; left > 0; left -= atOnce) {
    const piece = yield take(Math.min(left, atOnce) * entryBytes);
    for (let from = 0; from < piece.length; from += entryBytes) show(piece, from);
  }
}
