import { ACCOUNT_COMMANDS } from "./account-commands.js";
import { backup } from "./backup/backup-command.js";
import { copy } from "./copy/copy-command.js";
import type { Command } from "./command.js";
import { ERASE_COMMANDS } from "./erase/erase-command.js";
import { GALLERY_COMMANDS } from "./gallery-commands.js";
import { importPostings } from "./import/import-command.js";
import { JOB_COMMANDS } from "./jobs/job-commands.js";
import { PLATFORM_COMMANDS } from "./platform-commands.js";
import { compact } from "./storage/compact-command.js";
import { usage } from "./storage/usage-command.js";

/** All commands by their words. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ...ACCOUNT_COMMANDS,
  ...ERASE_COMMANDS,
  ...GALLERY_COMMANDS,
  ...JOB_COMMANDS,
  ...PLATFORM_COMMANDS,
  backup,
  compact,
  copy,
  import: importPostings,
  usage,
};
