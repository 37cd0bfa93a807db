/** The environment is invalid; `message` is one line with every invalid variable, its value and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
