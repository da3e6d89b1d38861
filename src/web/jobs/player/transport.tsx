import { ChevronFirst, ChevronLast, Pause, Play } from "lucide-react";
import type { CSSProperties } from "react";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { formatClipLength } from "../../ui/text/length-and-size.ts";
import { type SyncedPlayer, usePlayerState } from "./synced-player.ts";

/** Longer times are shown in minutes. */
const LONG_SECONDS = 100;
const THUMB =
  "[&::-webkit-slider-thumb]:size-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-ink " +
  "[&::-moz-range-thumb]:size-3 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-ink";

export function Transport({ player }: { player: SyncedPlayer }) {
  const { isPlaying, time, duration } = usePlayerState(player);
  return (
    <div className="flex min-w-0 flex-1 items-center gap-1">
      <IconButton
        icon={isPlaying ? Pause : Play}
        label={isPlaying ? "Pause" : "Play"}
        aria-keyshortcuts="Space"
        onClick={player.toggle}
      />
      <IconButton
        icon={ChevronFirst}
        label="Previous frame"
        aria-keyshortcuts=","
        className="max-desk:hidden"
        onClick={() => player.step(-1)}
      />
      <IconButton
        icon={ChevronLast}
        label="Next frame"
        aria-keyshortcuts="."
        className="max-desk:hidden"
        onClick={() => player.step(1)}
      />
      <div
        className="relative mx-1 h-7 min-w-16 flex-1 max-desk:h-11"
        style={{ "--filled": duration > 0 ? Math.min(1, time / duration) : 0 } as CSSProperties}
      >
        <div className="absolute inset-x-0 top-1/2 h-1 -translate-y-1/2 rounded-full bg-slat" />
        <div className="absolute top-1/2 left-0 h-1 w-[calc(var(--filled)*100%)] -translate-y-1/2 rounded-full bg-ink-2" />
        <input
          type="range"
          aria-label="Time"
          min={0}
          max={duration}
          step="any"
          value={Math.min(time, duration)}
          aria-valuetext={`${time.toFixed(1)} of ${duration.toFixed(1)} seconds`}
          className={`absolute inset-0 m-0 w-full cursor-pointer appearance-none rounded-full bg-transparent ${THUMB}`}
          onChange={(event) => player.seek(event.target.valueAsNumber)}
        />
      </div>
      <span className="tnum w-20 shrink-0 text-right text-12 whitespace-nowrap text-ink-3">
        {duration < LONG_SECONDS
          ? `${time.toFixed(1)} / ${duration.toFixed(1)} s`
          : `${formatClipLength(time)} / ${formatClipLength(duration)}`}
      </span>
    </div>
  );
}
