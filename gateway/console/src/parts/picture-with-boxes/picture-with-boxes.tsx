import { useEffect, useRef, useState } from "preact/hooks";
import { probability } from "../../words/numbers.js";
import { analysisWords } from "../../words/analyses.js";
import { Button } from "../button.js";
import { useKeys } from "../keys.js";
import { Boxes, type NumberedBox } from "./boxes.js";
import styles from "./picture-with-boxes.module.css";

export interface PictureWithBoxesProps {
  readonly url: string;
  readonly name: string;
  /** Pixels, of which only the ratio counts; undefined: not known before it is loaded. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly boxes: readonly NumberedBox[];
  /** Number of the box that is looked at. */
  readonly current: number | undefined;
  readonly onCurrent: (number: number | undefined) => void;
  /** A sharper picture is wanted, because it is shown larger. */
  readonly onZoomed: () => void;
}

const ZOOM_STEP = 1.5;
const ZOOM_MAX = 8;

/** A picture with what was found in it. Tab steps through the boxes, `b` hides them, `+`, `-` and `0` change the size. */
export function PictureWithBoxes(props: PictureWithBoxesProps) {
  const { url, name, width, height, boxes, current, onCurrent, onZoomed } = props;
  const [zoom, setZoom] = useState(1);
  const [isHidden, setHidden] = useState(false);
  const [loaded, setLoaded] = useState<{ readonly width: number; readonly height: number }>();
  const frame = useRef<HTMLDivElement>(null);
  const w = analysisWords.result;
  const change = (factor: number): void => {
    const next = factor === 0 ? 1 : Math.max(1, Math.min(ZOOM_MAX, zoom * factor));
    setZoom(next);
    if (next > 1) onZoomed();
  };
  useKeys([
    { keys: "b", label: w.boxesOn, run: () => setHidden(!isHidden) },
    { keys: "+", label: w.zoomIn, run: () => change(ZOOM_STEP) },
    { keys: "-", label: w.zoomOut, run: () => change(1 / ZOOM_STEP) },
    { keys: "0", label: w.fit, run: () => change(0) },
  ]);
  useEffect(() => center(frame.current), [current, zoom]);
  const at = boxes.findIndex((box) => box.number === current);
  const found = boxes[at];
  const step = (event: KeyboardEvent): void => {
    const next = boxes[at + (event.shiftKey ? -1 : 1)];
    // Before the first and after the last one, Tab leaves the picture.
    if (event.key !== "Tab" || isHidden || next === undefined) return;
    event.preventDefault();
    onCurrent(next.number);
  };
  const ratio = (loaded?.width ?? width ?? 4) / (loaded?.height ?? height ?? 3);
  return (
    <div class={styles["picture"]}>
      <div
        ref={frame}
        class={styles["frame"]}
        role="group"
        tabIndex={0}
        aria-label={w.pictureOf(name, boxes.length)}
        title={w.pictureHelp}
        onKeyDown={step}
      >
        <div
          class={styles["inner"]}
          style={{ aspectRatio: String(ratio), width: `calc(min(100%, 65vh * ${ratio}) * ${zoom})` }}
        >
          <img
            src={url}
            alt={w.picture(name)}
            onLoad={({ currentTarget }) =>
              setLoaded({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
            }
          />
          {isHidden ? null : <Boxes boxes={boxes} current={current} onCurrent={onCurrent} />}
        </div>
      </div>
      <div class={styles["controls"]}>
        <Button
          isSmall
          shortcut="b"
          pressed={isHidden}
          onClick={() => setHidden(!isHidden)}
          disabled={boxes.length === 0}
        >
          {isHidden ? w.boxesOff : w.boxesOn}
        </Button>
        <Button isSmall shortcut="+" onClick={() => change(ZOOM_STEP)} disabled={zoom >= ZOOM_MAX}>
          {w.zoomIn}
        </Button>
        <Button isSmall shortcut="-" onClick={() => change(1 / ZOOM_STEP)} disabled={zoom <= 1}>
          {w.zoomOut}
        </Button>
        <Button isSmall shortcut="0" onClick={() => change(0)} disabled={zoom === 1}>
          {w.fit}
        </Button>
        <span class={styles["said"]} role="status">
          {found === undefined ? "" : `${w.boxName(found.number, found.label)} ${probability(found.box[4] ?? 0)}`}
        </span>
      </div>
    </div>
  );
}

/** Brings the current box into the middle of its frame, without moving the page. */
function center(frame: HTMLElement | null): void {
  const box = frame?.querySelector<HTMLElement>("[data-current]");
  if (frame === null || box === null || box === undefined) return;
  const inside = box.getBoundingClientRect();
  const around = frame.getBoundingClientRect();
  frame.scrollBy({
    left: inside.left + inside.width / 2 - around.left - around.width / 2,
    top: inside.top + inside.height / 2 - around.top - around.height / 2,
  });
}
