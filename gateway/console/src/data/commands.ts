import { fold } from "@hourglass/runtime/text";
import { useEffect, useRef } from "preact/hooks";

/** Something that the palette offers. */
export interface Command {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly hint?: string;
  readonly href?: string;
  readonly run?: () => void;
}

const sources = new Set<() => readonly Command[]>();

/** Offers what a screen can do in the palette, as long as it is shown. */
export function useCommands(commands: readonly Command[]): void {
  const current = useRef(commands);
  current.current = commands;
  useEffect(() => {
    const source = (): readonly Command[] => current.current;
    sources.add(source);
    return () => void sources.delete(source);
  }, []);
}

/** What all shown screens offer; what is further inside comes first. */
export function commandsNow(): Command[] {
  return [...sources].reverse().flatMap((source) => [...source()]);
}

/** The commands whose words begin with all words of `text`, in any order. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const wanted = fold(text).split(/\s+/).filter(Boolean);
  return commands.filter(({ label, group, hint = "" }) => {
    const own = fold(`${label} ${group} ${hint}`).split(/[\s:,"#]+/);
    return wanted.every((start) => own.some((word) => word.startsWith(start)));
  });
}
