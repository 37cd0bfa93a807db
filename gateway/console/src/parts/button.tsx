import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import styles from "./button.module.css";
import { Icon, type IconName } from "./icon.js";

export type ButtonKind = "usual" | "primary" | "danger" | "plain";

interface Look {
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
  readonly isSmall?: boolean;
  /** The words of a button that shows only its icon. */
  readonly label?: string;
  /** The tooltip of a button whose words do not say all. */
  readonly hint?: string;
  /** Shown in the tooltip, such as `n`. */
  readonly shortcut?: string;
  readonly children?: ComponentChildren;
}

export interface ButtonProps extends Look {
  readonly type?: "button" | "submit";
  /** Until the promise ends, further clicks do nothing. */
  readonly onClick?: () => void | Promise<void>;
  readonly disabled?: boolean;
  /** Why it is disabled: for the tooltip. */
  readonly reason?: string;
  readonly pressed?: boolean;
  readonly expanded?: boolean;
  readonly id?: string;
}

function classesOf({ kind = "usual", isSmall = false, children }: Look): string {
  const names = [styles["button"], kind === "usual" ? "" : styles[kind], isSmall ? styles["small"] : ""];
  if (children === undefined) names.push(styles["square"]);
  return names.filter((name) => name !== "" && name !== undefined).join(" ");
}

function titleOf({
  label,
  hint,
  shortcut,
  reason,
}: {
  label?: string | undefined;
  hint?: string | undefined;
  shortcut?: string | undefined;
  reason?: string | undefined;
}): string | undefined {
  const text = reason ?? label ?? hint ?? "";
  if (shortcut === undefined) return text === "" ? undefined : text;
  return text === "" ? shortcut : `${text} (${shortcut})`;
}

/** A button. A double click acts once. */
export function Button(props: ButtonProps) {
  const { type = "button", onClick, disabled = false, icon, label, children, pressed, expanded, id } = props;
  const acting = useRef(false);
  const [isActing, setActing] = useState(false);
  const act = async (): Promise<void> => {
    if (acting.current || disabled || onClick === undefined) return;
    const done = onClick();
    if (done === undefined) return;
    acting.current = true;
    setActing(true);
    try {
      await done;
    } finally {
      acting.current = false;
      setActing(false);
    }
  };
  return (
    <button
      type={type}
      id={id}
      class={classesOf(props)}
      title={titleOf(props)}
      aria-label={children === undefined ? label : undefined}
      // A disabled button can have the focus, so that its reason can be read.
      aria-disabled={disabled || isActing ? "true" : undefined}
      aria-pressed={pressed}
      aria-expanded={expanded}
      onClick={(event) => {
        if (disabled || isActing) event.preventDefault();
        else void act();
      }}
    >
      {icon === undefined ? null : <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}

export interface LinkButtonProps extends Look {
  readonly href: string;
  readonly download?: string | boolean;
  readonly isExternal?: boolean;
}

/** A link that looks like a button: it leads somewhere, so it can be opened in a new tab. */
export function LinkButton(props: LinkButtonProps) {
  const { href, download, isExternal = false, icon, label, children } = props;
  return (
    <a
      href={href}
      class={classesOf(props)}
      title={titleOf(props)}
      aria-label={children === undefined ? label : undefined}
      download={download}
      {...(isExternal ? { target: "_blank", rel: "noopener noreferrer" } : {})}
    >
      {icon === undefined ? null : <Icon name={icon} size={16} />}
      {children}
    </a>
  );
}
