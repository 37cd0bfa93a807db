// Loaded into a worker by NODE_OPTIONS: SIGUSR2 keeps its event loop busy for as long as BLOCK_MS says.
process.on("SIGUSR2", () => {
  const until = performance.now() + Number(process.env.BLOCK_MS);
  while (performance.now() < until);
});
