import { ACCOUNT_COMMANDS } from "./account-commands.js";
import { backup } from "./backup-command.js";
import type { Command } from "./command.js";
import { GALLERY_COMMANDS } from "./gallery-commands.js";
import { JOB_COMMANDS } from "./job-commands.js";

/** All commands by their words. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ...ACCOUNT_COMMANDS,
  ...GALLERY_COMMANDS,
  ...JOB_COMMANDS,
  backup,
};
