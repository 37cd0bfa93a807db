// What modules of the console expect of a browser when they are loaded. A test that runs in Node imports this first.

const page = new URL("http://localhost/");

for (const [name, value] of Object.entries({
  location: page,
  addEventListener: () => undefined,
  document: undefined,
})) {
  if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
