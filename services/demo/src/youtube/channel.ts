import type { Person } from "../invented/person.js";

/** A channel, and so an author of videos and comments. */
export interface Channel {
  readonly id: string;
  readonly title: string;
  /** With `@`. */
  readonly handle: string;
}

const CHANNEL_DIGITS = 18;

/** The channel of an invented person. */
export function channelOf({ id, name, username }: Person): Channel {
  return { id: `UCdemo${id.padStart(CHANNEL_DIGITS, "0")}`, title: name, handle: `@${username}` };
}
