import { LinkButton } from "../../parts/button.js";
import { Screen } from "../../parts/screen.js";
import { EmptyState } from "../../parts/states.js";
import { words } from "../../words/words.js";

/** An address that no screen has. */
export function NotFound() {
  return (
    <Screen title={words.frame.noSuchPage}>
      <EmptyState title={location.pathname}>
        <p>{words.frame.noSuchPageHelp}</p>
        <LinkButton href="/" icon="home">
          {words.frame.toHome}
        </LinkButton>
      </EmptyState>
    </Screen>
  );
}
