import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import { Button } from "../button.js";
import { useKeys } from "../keys.js";
import { Boxes } from "../picture-with-boxes/boxes.js";
import styles from "./media-player.module.css";
import { boxesAt, neighbor, subtitles, type Track } from "./moments.js";

/** Where a player is, and how to move it. */
export interface PlayerPlace {
  readonly time: number;
  readonly seek: (seconds: number, isPlaying: boolean) => void;
}

export interface MediaPlayerProps {
  readonly name: string;
  readonly hasPictures: boolean;
  /** Makes an address that can be played for some minutes. */
  readonly link: () => Promise<string>;
  readonly poster: string | undefined;
  readonly tracks: readonly Track[];
  readonly spoken: readonly { readonly start: number; readonly end: number; readonly text: string }[];
  readonly onTime: (seconds: number) => void;
  /** Gets what moves the player, for lists of moments beside it. */
  readonly onReady: (seek: PlayerPlace["seek"]) => void;
}

/** How often in a row an address that has stopped working is replaced. */
const LINKS_MAX = 3;

/** A player with boxes over its pictures and what is said below them. Space plays, `,` and `.` go from moment to moment. */
export function MediaPlayer(props: MediaPlayerProps) {
  const { name, hasPictures, link, poster, tracks, spoken, onTime, onReady } = props;
  const player = useRef<HTMLVideoElement>(null);
  const [url, setUrl] = useState<string>();
  const [failed, setFailed] = useState(false);
  const [time, setTime] = useState(0);
  const links = useRef(0);
  const after = useRef({ time: 0, isPlaying: false });
  const w = analysisWords.result;

  const renew = (): void => {
    const { current } = player;
    if (current !== null && url !== undefined)
      after.current = { time: current.currentTime, isPlaying: !current.paused };
    if (links.current++ >= LINKS_MAX) {
      setFailed(true);
      return;
    }
    link().then(setUrl, () => setFailed(true));
  };
  useEffect(renew, []);

  const seek = (seconds: number, isPlaying: boolean): void => {
    const { current } = player;
    if (current === null) return;
    current.currentTime = seconds;
    if (isPlaying) void current.play().catch(() => undefined);
    else current.pause();
  };
  useEffect(() => onReady(seek), []);

  const toggle = (): void => {
    const { current } = player;
    if (current === null) return;
    if (current.paused) void current.play().catch(() => undefined);
    else current.pause();
  };
  const step = (direction: -1 | 1): void => {
    const place = neighbor(tracks, player.current?.currentTime ?? 0, direction);
    if (place !== undefined) seek(place, false);
  };
  useKeys([
    { keys: " ", label: w.play, run: toggle },
    { keys: ",", label: w.momentBefore, run: () => step(-1) },
    { keys: ".", label: w.momentAfter, run: () => step(1) },
  ]);

  const captions = useSubtitles(spoken);
  const shared = {
    ref: player as never,
    src: url,
    controls: true,
    preload: "metadata" as const,
    "aria-label": w.player(name),
    onTimeUpdate: (event: Event): void => {
      const { currentTime } = event.currentTarget as HTMLMediaElement;
      setTime(currentTime);
      onTime(currentTime);
    },
    onLoadedMetadata: (): void => {
      // After a new address, where it was before.
      const { time: at, isPlaying } = after.current;
      if (at > 0) seek(at, isPlaying);
    },
    onPlaying: (): void => {
      links.current = 0;
    },
    onError: (): void => {
      if (url !== undefined) renew();
    },
  };
  const track =
    captions === undefined ? null : <track kind="captions" src={captions} label={w.transcript} srcLang="en" default />;
  const boxes = boxesAt(tracks, time).map((found, at) => ({ number: at + 1, ...found }));
  return (
    <div class={styles["player"]}>
      {hasPictures ? (
        <div class={styles["stage"]}>
          <video {...shared} poster={poster} playsInline>
            {track}
          </video>
          <div class={styles["over"]}>
            <Boxes boxes={boxes} current={undefined} />
          </div>
        </div>
      ) : (
        <audio {...shared}>{track}</audio>
      )}
      {failed ? (
        <p class={styles["failed"]} role="alert">
          {w.playError}{" "}
          <Button
            isSmall
            onClick={() => {
              links.current = 0;
              setFailed(false);
              renew();
            }}
          >
            {words.frame.retry}
          </Button>
        </p>
      ) : null}
      {tracks.length === 0 ? null : (
        <div class={styles["controls"]}>
          <Button isSmall shortcut="," onClick={() => step(-1)}>
            {w.momentBefore}
          </Button>
          <Button isSmall shortcut="." onClick={() => step(1)}>
            {w.momentAfter}
          </Button>
          <span class="small muted" role="status">
            {boxes.map(({ number, label }) => w.boxName(number, label)).join(", ")}
          </span>
        </div>
      )}
    </div>
  );
}

function useSubtitles(spoken: MediaPlayerProps["spoken"]): string | undefined {
  const text = useMemo(() => (spoken.length === 0 ? undefined : subtitles(spoken)), [spoken]);
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (text === undefined) return undefined;
    const made = URL.createObjectURL(new Blob([text], { type: "text/vtt" }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return url;
}
