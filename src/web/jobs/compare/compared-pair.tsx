import { type CSSProperties, useState } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";

export type CompareMode = "beside" | "wipe";

/** Side by side, or overlaid with a movable divider. */
export function ComparedPair({
  left,
  right,
  mode,
  audible,
  onVideo,
}: {
  left: ComparedFile;
  right: ComparedFile;
  mode: CompareMode;
  audible: "left" | "right";
  onVideo: (id: string, video: HTMLVideoElement) => void;
}) {
  const [line, setLine] = useState(50);
  const isWipe = mode === "wipe";
  const place = (side: "left" | "right"): string => {
    if (isWipe) return "absolute inset-0";
    return side === "left"
      ? "absolute inset-y-0 left-0 w-[calc(50%-4px)]"
      : "absolute inset-y-0 right-0 w-[calc(50%-4px)]";
  };
  return (
    <div
      data-theme="dark"
      className="relative min-h-0 flex-1 bg-screen"
      style={{ "--wipe": `${line}%` } as CSSProperties}
    >
      <Half
        file={left}
        className={place("left")}
        fit={isWipe ? "" : "object-right"}
        isMuted={audible !== "left"}
        onVideo={onVideo}
      />
      <Half
        file={right}
        className={`${place("right")} ${isWipe ? "[clip-path:inset(0_0_0_var(--wipe))]" : ""}`}
        fit={isWipe ? "" : "object-left"}
        isMuted={audible !== "right"}
        onVideo={onVideo}
      />
      {isWipe && (
        <>
          <span className="pointer-events-none absolute inset-y-0 left-(--wipe) w-0.5 -translate-x-1/2 bg-[#fff] shadow-[0_0_0_1px_#00000059]" />
          <input
            type="range"
            aria-label="Wipe"
            min={0}
            max={100}
            value={line}
            className="absolute inset-0 m-0 size-full cursor-ew-resize opacity-0"
            onChange={(event) => setLine(event.target.valueAsNumber)}
          />
        </>
      )}
    </div>
  );
}

function Half({
  file,
  className,
  fit,
  isMuted,
  onVideo,
}: {
  file: ComparedFile;
  className: string;
  /** Side by side, the pictures meet in the middle. */
  fit: string;
  isMuted: boolean;
  onVideo: (id: string, video: HTMLVideoElement) => void;
}) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  return (
    <div className={className}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- captions are burned into the picture */}
      <video
        key={file.id}
        ref={(video) => {
          if (video) onVideo(file.id, video);
        }}
        playsInline
        muted={isMuted}
        preload="auto"
        tabIndex={-1}
        aria-label={file.label}
        src={file.url}
        className={`size-full object-contain ${fit}`}
        onError={() => setBrokenUrl(file.url)}
      />
      <span className="pointer-events-none absolute bottom-2 left-2 max-w-[calc(100%-16px)] truncate rounded-1 bg-[#000000b8] px-1.5 py-0.5 text-12 text-[#fff]">
        {file.label}
      </span>
      {brokenUrl === file.url && (
        <p role="alert" className="absolute inset-0 grid place-content-center p-6 text-center text-12 text-ink">
          {file.id === "source"
            ? "This browser can't play the source. The source can't be reached, or the browser does not support its format."
            : "This file can't be played. Close this window and try again."}
        </p>
      )}
    </div>
  );
}

/** `startSeconds`: where the output starts in this file; `speed`: how fast the output plays it. */
export type ComparedFile = { id: string; label: string; url: string; startSeconds: number; speed: number };

export type ComparedSource = Pick<ComparedFile, "url" | "startSeconds" | "speed">;

/** Returns the output, the other variants, then the source; fewer than two if there is nothing to compare. */
export function comparedFiles(
  current: JobOutput,
  variants: readonly JobOutput[],
  source: ComparedSource | null,
): ComparedFile[] {
  const others = variants.filter(({ id }) => id !== current.id);
  const files = [current, ...others].flatMap(({ id, variant, media_url: url }) =>
    url === null ? [] : [{ id, label: `Variant ${variant + 1}`, url, startSeconds: 0, speed: 1 }],
  );
  return source === null ? files : [...files, { id: "source", label: "Source", ...source }];
}
