import { render } from "preact";
import "./styles/tokens.css";
import "./styles/base.css";
import "styles:all";
import { App } from "./app.js";
import { session } from "./data/session.js";
import { applyTheme } from "./data/theme.js";
import { listenToKeys } from "./parts/keys.js";

applyTheme();
listenToKeys();
session.start();
const place = document.getElementById("app");
if (place !== null) render(<App />, place);
