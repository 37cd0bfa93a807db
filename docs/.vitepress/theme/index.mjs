// The usual theme in the fonts of the system: others would have to be loaded.
import "./theme.css";

export { default } from "vitepress/theme-without-fonts";
