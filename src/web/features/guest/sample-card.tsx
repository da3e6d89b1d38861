import type { GuestSample } from "#contract/guests/guests.ts";
import { formatClipLength } from "../../ui/text/length-and-size.ts";

/** Loads the video on play. */
export function SampleCard({ sample }: { sample: GuestSample }) {
  const { name, width, height, duration_seconds: seconds } = sample;
  return (
    <li className="grid min-w-0 content-start gap-1.5">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- captions are burned into the picture */}
      <video
        controls
        playsInline
        preload="none"
        aria-label={name}
        src={sample.media_url}
        poster={sample.thumbnail_url}
        width={width}
        height={height}
        className="h-auto max-h-120 w-full rounded-1 bg-screen object-contain"
      />
      <p className="flex min-w-0 gap-2 text-12">
        <span dir="auto" className="raw min-w-0 flex-1 wrap-anywhere text-ink">
          {name}
        </span>
        <span className="tnum text-ink-3">{formatClipLength(seconds)}</span>
      </p>
    </li>
  );
}
