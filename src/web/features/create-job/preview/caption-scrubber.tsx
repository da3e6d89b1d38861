import { Slider } from "../../../ui/fields/slider.tsx";
import type { Preview } from "./use-preview.ts";

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
