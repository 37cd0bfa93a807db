import type { ComponentChildren } from "preact";

export interface FormProps {
  readonly class?: string | undefined;
  /** What it is for, where no heading says so. */
  readonly label?: string;
  readonly isSearch?: boolean;
  readonly onSubmit: () => void | Promise<void>;
  readonly children: ComponentChildren;
}

/** A form that is sent by `onSubmit`, never by the browser, which would load the page again. */
export function Form({ class: className, label, isSearch = false, onSubmit, children }: FormProps) {
  return (
    <form
      class={className}
      aria-label={label}
      role={isSearch ? "search" : undefined}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      {children}
    </form>
  );
}
