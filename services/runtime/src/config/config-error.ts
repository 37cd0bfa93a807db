/** The environment is wrong; `message` is one line that names every bad variable, its value and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
