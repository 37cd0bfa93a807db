import { useMemo, useRef, useState } from "preact/hooks";
import type { ContentResult, Found } from "../../data/analyses.js";
import type { Table } from "../../data/csv.js";
import { linkOfFile, usePicture, useStoredFile, type StoredFile } from "../../data/files.js";
import { Figure } from "../../parts/figure.js";
import { MediaPlayer, type PlayerPlace } from "../../parts/media-player/media-player.js";
import { secondsOf, secondsSeen, type Track } from "../../parts/media-player/moments.js";
import { Timeline } from "../../parts/media-player/timeline.js";
import { Transcript } from "../../parts/media-player/transcript.js";
import { PictureWithBoxes } from "../../parts/picture-with-boxes/picture-with-boxes.js";
import { Skeleton } from "../../parts/states.js";
import { preciseShare } from "../../words/numbers.js";
import { analysisWords } from "../../words/analyses.js";
import styles from "./analysis.module.css";
import { detections, numberedBoxes, tracksOf } from "./findings.js";
import { ModelLine } from "./model-line.js";
import { SeenFigure } from "./seen-figure.js";
import { TextFigure, TextResult } from "./text-result.js";

export interface FileResultProps {
  readonly id: number;
  readonly result: ContentResult;
  readonly isUtf16: boolean;
  readonly isExplained: boolean;
}

type Seek = PlayerPlace["seek"];

/** What was found in a file: beside its picture or its player. */
export function FileResult({ id, result, isUtf16, isExplained }: FileResultProps) {
  const { content, analyses, transcript, ocr_text: written, index, dimensions } = result;
  const fileId = typeof content === "number" ? content : undefined;
  const { data: file } = useStoredFile(fileId);
  const [current, setCurrent] = useState<number>();
  const [time, setTime] = useState(0);
  const seek = useRef<Seek>(undefined);
  const w = analysisWords.result;
  const boxes = useMemo(() => numberedBoxes(analyses), [analyses]);
  const tracks = useMemo(() => tracksOf(analyses), [analyses]);
  const seen = analyses.filter(({ source }) => source === "content" || source === "group");
  const textual = (source: Found["source"]): Found[] => analyses.filter((found) => found.source === source);
  const isPlayed = dimensions.some((dimension) => dimension === "visual-video" || dimension === "audial");
  const canPlay = fileId !== undefined && isPlayed;
  const play = canPlay ? (seconds: number): void => seek.current?.(seconds, true) : undefined;
  const name = `analysis-${id}-${index + 1}`;
  const shared = { id, number: index + 1, isUtf16, isExplained };
  return (
    <div class={styles["file"]}>
      <div class={styles["media"]}>
        {fileId === undefined ? (
          <p>
            <a href={String(content)} rel="noopener noreferrer" target="_blank" dir="auto">
              {String(content)}
            </a>
            <br />
            <span class="small muted">{w.foreign}</span>
          </p>
        ) : isPlayed ? (
          <Player
            id={fileId}
            file={file}
            hasPictures={dimensions.includes("visual-video")}
            tracks={tracks}
            spoken={transcript?.segments ?? []}
            onTime={setTime}
            onReady={(move) => (seek.current = move)}
          />
        ) : (
          <Picture id={fileId} file={file} boxes={boxes} current={current} onCurrent={setCurrent} />
        )}
        {tracks.length === 0 ? null : (
          <TimelineFigure
            tracks={tracks}
            length={lengthOf(file, tracks)}
            time={time}
            onPlay={play === undefined ? undefined : (seconds) => seek.current?.(seconds, false)}
            file={name}
          />
        )}
      </div>
      <div class={styles["stack"]}>
        <Captions analyses={seen} time={time} onPlay={play} />
        <div class={styles["figures"]}>
          {seen
            .filter(({ type }) => type !== "caption")
            .map((found) => {
              const of = detections(found);
              if (of === undefined) return <TextFigure key={found.type} found={found} file={name} />;
              return (
                <SeenFigure
                  key={found.type}
                  found={found}
                  seen={of}
                  boxes={boxes}
                  current={current}
                  onCurrent={setCurrent}
                  file={name}
                />
              );
            })}
        </div>
        {transcript === undefined ? null : (
          <section class={styles["card"]} aria-label={w.transcript}>
            <h2>{w.transcript}</h2>
            {transcript.text === "" ? <p class="muted">{w.nothingSaid}</p> : null}
            <Transcript label={w.transcript} segments={transcript.segments} time={time} onPlay={play} />
          </section>
        )}
        {transcript === undefined || textual("transcript").length === 0 ? null : (
          <TextResult
            {...shared}
            title={w.source("transcript")}
            text={transcript.text}
            analyses={textual("transcript")}
          />
        )}
        {written === undefined ? null : textual("ocr").length > 0 ? (
          <TextResult {...shared} title={w.source("ocr")} text={written} analyses={textual("ocr")} />
        ) : (
          <section class={styles["card"]} aria-label={w.written}>
            <h2>{w.written}</h2>
            {written === "" ? <p class="muted">{w.nothingWritten}</p> : <p class={styles["lines"]}>{written}</p>}
          </section>
        )}
      </div>
    </div>
  );
}

function lengthOf(file: StoredFile | undefined, tracks: readonly Track[]): number {
  return file?.duration ?? Math.max(0, ...tracks.flatMap(({ moments }) => moments.map(({ end }) => end)));
}

interface PictureProps {
  readonly id: number;
  readonly file: StoredFile | undefined;
  readonly boxes: ReturnType<typeof numberedBoxes>;
  readonly current: number | undefined;
  readonly onCurrent: (number: number | undefined) => void;
}

function Picture({ id, file, boxes, current, onCurrent }: PictureProps) {
  const [isZoomed, setZoomed] = useState(false);
  const small = usePicture(id, 1024);
  const whole = usePicture(isZoomed ? id : undefined, undefined);
  const w = analysisWords.result;
  const url = whole.url ?? small.url;
  if (small.isError) return <p class="muted">{w.noPicture}</p>;
  if (url === undefined) return <Skeleton height="24rem" />;
  return (
    <PictureWithBoxes
      url={url}
      name={file?.name ?? w.fileName(id)}
      width={file?.width ?? undefined}
      height={file?.height ?? undefined}
      boxes={boxes}
      current={current}
      onCurrent={onCurrent}
      onZoomed={() => setZoomed(true)}
    />
  );
}

interface PlayerProps {
  readonly id: number;
  readonly file: StoredFile | undefined;
  readonly hasPictures: boolean;
  readonly tracks: readonly Track[];
  readonly spoken: readonly { readonly start: number; readonly end: number; readonly text: string }[];
  readonly onTime: (seconds: number) => void;
  readonly onReady: (seek: Seek) => void;
}

function Player({ id, file, hasPictures, ...rest }: PlayerProps) {
  const poster = usePicture(hasPictures && file !== undefined && file.width !== null ? id : undefined, 1024);
  return (
    <MediaPlayer
      {...rest}
      name={file?.name ?? analysisWords.result.fileName(id)}
      hasPictures={hasPictures}
      link={() => linkOfFile(id)}
      poster={poster.url}
    />
  );
}

interface TimelineFigureProps {
  readonly tracks: readonly Track[];
  readonly length: number;
  readonly time: number;
  readonly onPlay: ((seconds: number) => void) | undefined;
  readonly file: string;
}

function TimelineFigure({ tracks, length, time, onPlay, file }: TimelineFigureProps) {
  const w = analysisWords.result;
  const table: Table = {
    columns: [w.columns.label, w.columns.probability, w.columns.from, w.columns.to],
    rows: tracks.flatMap(({ label, probability, moments }) =>
      moments.map(({ start, end }) => [label, preciseShare(probability), start, end]),
    ),
  };
  const [longest] = [...tracks].sort((a, b) => secondsSeen(b.moments) - secondsSeen(a.moments));
  return (
    <Figure
      title={w.timeline}
      sentence={
        <>
          {w.timelineSentence(tracks.length, length)}
          {longest === undefined ? null : ` ${w.longestSeen(longest.label, Math.round(secondsSeen(longest.moments)))}`}
        </>
      }
      table={table}
      file={`${file}-moments`}
    >
      <Timeline tracks={tracks} length={length} time={time} onPlay={onPlay} />
    </Figure>
  );
}

interface CaptionsProps {
  readonly analyses: readonly Found[];
  readonly time: number;
  readonly onPlay: ((seconds: number) => void) | undefined;
}

/** What a picture shows in a sentence, or a film scene by scene. */
function Captions({ analyses, time, onPlay }: CaptionsProps) {
  const w = analysisWords.result;
  const found = analyses.find((one) => one.type === "caption");
  if (found?.type !== "caption") return null;
  const scenes = found.data.flatMap(({ descriptions }) => descriptions ?? []);
  const segments = scenes.map(({ timestamp, description }, at) => {
    const next = scenes[at + 1];
    return {
      start: secondsOf(timestamp),
      end: next === undefined ? Infinity : secondsOf(next.timestamp),
      text: description,
    };
  });
  return (
    <section class={styles["card"]} aria-label={w.caption}>
      <h2>{w.caption}</h2>
      {found.data.map(({ description }) =>
        description === null ? null : (
          <p key={description} class={styles["caption"]}>
            {description}
          </p>
        ),
      )}
      {segments.length === 0 ? null : <Transcript label={w.scenes} segments={segments} time={time} onPlay={onPlay} />}
      <ModelLine found={found} />
    </section>
  );
}
