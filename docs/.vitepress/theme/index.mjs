// The usual theme, in the fonts of the system: others would have to be loaded.
export { default } from "vitepress/theme-without-fonts";

import "./theme.css";
