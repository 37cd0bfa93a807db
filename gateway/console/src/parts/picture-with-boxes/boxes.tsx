import styles from "./picture-with-boxes.module.css";

export interface NumberedBox {
  /** Shown on the box; its name stands in the list beside the picture. */
  readonly number: number;
  readonly label: string;
  /** Left, top, width and height as fractions of the picture, and the probability. */
  readonly box: readonly number[];
}

export interface BoxesProps {
  readonly boxes: readonly NumberedBox[];
  readonly current: number | undefined;
  readonly onCurrent?: (number: number | undefined) => void;
}

/** Boxes over a picture or a film. The list beside it says the same in words, so they are hidden from screen readers. */
export function Boxes({ boxes, current, onCurrent }: BoxesProps) {
  // Small ones lie above large ones, so that each can be reached.
  const drawn = [...boxes].sort((a, b) => areaOf(b) - areaOf(a));
  return (
    <div class={styles["boxes"]} aria-hidden="true">
      {drawn.map(({ number, label, box: [left = 0, top = 0, width = 0, height = 0] }) => (
        <div
          key={number}
          class={number === current ? `${styles["box"] ?? ""} ${styles["current"] ?? ""}` : styles["box"]}
          data-current={number === current ? "" : undefined}
          title={label}
          style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }}
          onClick={() => onCurrent?.(number === current ? undefined : number)}
        >
          <span class={top < 0.06 ? `${styles["number"] ?? ""} ${styles["inside"] ?? ""}` : styles["number"]}>
            {number}
          </span>
        </div>
      ))}
    </div>
  );
}

function areaOf({ box: [, , width = 0, height = 0] }: NumberedBox): number {
  return width * height;
}

function percent(part: number): string {
  return `${Math.max(0, Math.min(1, part)) * 100}%`;
}
