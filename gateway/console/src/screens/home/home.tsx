import { Screen } from "../../parts/screen.js";
import { words } from "../../words/words.js";

export function Home() {
  return <Screen title={words.home.title}>…</Screen>;
}
