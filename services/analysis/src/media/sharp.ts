/** The decoder of pictures, without its cache: every file is read once. Its threads belong to the analyses. */
export const loadSharp = async () => {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
};
