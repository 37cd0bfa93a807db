// Loaded into a worker by NODE_OPTIONS: SIGUSR2 blocks its event loop for BLOCK_MS.
process.on("SIGUSR2", () => {
  const until = performance.now() + Number(process.env.BLOCK_MS);
  while (performance.now() < until);
});
