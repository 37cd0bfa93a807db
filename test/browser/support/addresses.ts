/** The screens of the console with the data of the demo, by name. */
export const SCREENS: readonly (readonly [name: string, path: string])[] = [
  ["sign-in", "/sign-in"],
  ["home", "/"],
  ["exports", "/exports"],
  ["a new export", "/exports?new=1&insight=1&polarity=negative"],
  ["account", "/settings/account"],
  ["API keys", "/settings/keys"],
  ["users", "/settings/users"],
  ["platforms", "/settings/platforms#twitter"],
  ["models", "/settings/models#topic"],
  ["server", "/settings/server"],
  ["no such page", "/nothing"],
];
