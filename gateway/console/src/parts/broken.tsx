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
    return (
      <EmptyState title={words.frame.broken}>
        <p>{words.frame.brokenHelp}</p>
        <Button onClick={() => this.setState({ error: undefined })}>{words.frame.retry}</Button>
      </EmptyState>
    );
  }
}
