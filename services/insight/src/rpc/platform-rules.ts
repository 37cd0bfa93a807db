import { PLATFORM } from "@hourglass/posting";
import type { Platform } from "@hourglass/proto/insight/v1/platform";
import { type FieldViolation, giveOneOf } from "@hourglass/runtime";

/** What is wrong with a platform, or with a list of them, in a field of a request. */
export type FindLacked = (given: Platform | readonly Platform[] | undefined, field: string) => FieldViolation[];

/**
 * Finds platforms that the contract knows and this server does not have. They are refused with the sentence that one gets
 * whom the contract does not know; numbers outside the contract are left to its own rules.
 */
export function lackedPlatforms(names: readonly string[]): FindLacked {
  const message = giveOneOf(names);
  const isLacked = (platform: Platform): boolean => {
    const name = PLATFORM.of(platform);
    return PLATFORM.names.includes(name) && !names.includes(name);
  };
  return (given = [], field) => {
    if (typeof given === "number") return isLacked(given) ? [{ field, message }] : [];
    return given.flatMap((platform, index) => (isLacked(platform) ? [{ field: `${field}[${index}]`, message }] : []));
  };
}
