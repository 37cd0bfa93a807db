import { Component, type ComponentChildren } from "preact";
import { words } from "../words/words.js";
import { Button } from "./button.js";
import { EmptyState } from "./states.js";

interface Props {
  readonly children: ComponentChildren;
}

/** Keeps a failure of the page itself in its own place: the rest works. */
export class Broken extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static override getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    // After an update of the server, the files of the old version are gone.
    const isStale = this.state.error instanceof TypeError && this.state.error.message.includes("import");
    return (
      <EmptyState title={isStale ? words.frame.updated : words.frame.broken}>
        <p>{isStale ? null : words.frame.brokenHelp}</p>
        <Button onClick={() => (isStale ? location.reload() : this.setState({ error: undefined }))}>
          {isStale ? words.frame.reload : words.frame.retry}
        </Button>
      </EmptyState>
    );
  }
}
