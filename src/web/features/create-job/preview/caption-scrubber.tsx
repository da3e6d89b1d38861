import { Slider } from "../../../ui/fields/slider.tsx";
import type { Preview } from "./use-preview.ts";

/** Moves through an output's time while captions are shown for a part of it. */
export function CaptionScrubber({ preview: { scrubber } }: { preview: Preview }) {
  if (!scrubber) return null;
  const { atSeconds, mostSeconds, isShown, goTo } = scrubber;
  return (
    <div className="w-full">
      <Slider
        label="Time"
        value={atSeconds}
        max={mostSeconds}
        format={(seconds) => `${seconds.toFixed(1)} s, ${isShown ? "with" : "without"} caption`}
        onChange={goTo}
      />
    </div>
  );
}
