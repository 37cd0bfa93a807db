/** The home screen. */
export const homeWords = {
  title: "Home",
};
