import { type RefObject, useEffect } from "react";
import type { SyncedPlayer } from "../../../jobs/player/synced-player.ts";
import type { TranscriptEditor } from "../draft/transcript-editor.ts";
import { wordAt } from "../model/word-at.ts";

/** How long the text does not follow after the operator scrolls. */
const REST_MS = 4_000;

/** Highlights the spoken word and scrolls to its line, without rendering. */
export function usePlayingWord({
  player,
  video,
  editor,
  list,
  onLine,
}: {
  player: SyncedPlayer;
  video: RefObject<HTMLVideoElement | null>;
  editor: TranscriptEditor;
  list: RefObject<HTMLUListElement | null>;
  /** Called when a line starts during playback. */
  onLine: (line: number) => void;
}): void {
  useEffect(() => {
    const stop = new AbortController();
    let frame = 0;
    let lit: Element | null = null;
    let lastLine = -1;
    let scrolledAt = -Infinity;

    function light() {
      const seconds = video.current?.currentTime ?? 0;
      const { isPlaying, time } = player.read();
      const place = isPlaying || time > 0 ? wordAt(editor.read().editing.lines, seconds) : null;
      const next =
        place && (list.current?.querySelector(`[data-index="${place.line}"] [data-word="${place.word}"]`) ?? null);
      if (next !== lit) lit?.removeAttribute("data-playing");
      next?.setAttribute("data-playing", "");
      lit = next;
      if (!isPlaying || !place || place.line === lastLine) return;
      lastLine = place.line;
      const isResting = performance.now() - scrolledAt < REST_MS || document.activeElement instanceof HTMLInputElement;
      if (!isResting) onLine(place.line);
    }
    function watch() {
      light();
      frame = player.read().isPlaying ? requestAnimationFrame(watch) : 0;
    }
    function handleScroll() {
      scrolledAt = performance.now();
    }
    const update = () => {
      if (frame === 0 && !stop.signal.aborted) watch();
    };
    // An edit redraws the word.
    const subscriptions = [player.subscribe(update), editor.subscribe(() => requestAnimationFrame(update))];
    for (const name of ["wheel", "touchmove"] as const)
      window.addEventListener(name, handleScroll, { passive: true, signal: stop.signal });
    return () => {
      for (const unsubscribe of subscriptions) unsubscribe();
      stop.abort();
      cancelAnimationFrame(frame);
      lit?.removeAttribute("data-playing");
    };
  }, [player, video, editor, list, onLine]);
}
