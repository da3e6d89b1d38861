import { CircleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { Platform } from "#contract/jobs/outputs/conformance.ts";
import { PlatformGuide } from "../../../jobs/platform-guide.tsx";
import type { SyncedPlayer } from "../../../jobs/player/synced-player.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { Icon } from "../../../ui/page/icon.tsx";
import { verdictLook } from "../verdicts/verdict-label.tsx";

/** One clock, with the current file's sound. Preloads `next`, whose elements are reused when shown. */
export function Stage({
  player,
  shown,
  current,
  next,
  platform,
  isMuted,
  onChoose,
  onReload,
}: {
  player: SyncedPlayer;
  shown: readonly JobOutput[];
  current: JobOutput;
  next: readonly JobOutput[];
  platform: Platform | null;
  isMuted: boolean;
  onChoose: (id: string) => void;
  onReload: () => void;
}) {
  const videos = useRef(new Map<string, HTMLVideoElement>());
  const shownIds = shown.map(({ id }) => id).join(" ");
  useEffect(() => {
    const tracks = shownIds.split(" ").flatMap((id) => videos.current.get(id) ?? []);
    player.setTracks(tracks.map((video) => ({ video, startSeconds: 0 })));
  }, [player, shownIds]);
  const isAlone = shown.length === 1;
  const ahead = next.filter((output) => !shown.some(({ id }) => id === output.id));
  return (
    <section
      aria-label="Files"
      data-theme="dark"
      className="flex h-[calc(100dvh-var(--h-top)-204px)] min-h-60 justify-center-safe gap-3 overflow-x-auto bg-screen p-3 max-desk:h-[54dvh]"
    >
      {[...shown, ...ahead].map((output) => (
        <StageVideo
          key={output.id}
          output={output}
          isShown={shown.includes(output)}
          isMarked={!isAlone && output.id === current.id}
          isMuted={isMuted || output.id !== current.id}
          platform={platform}
          onPress={() => (isAlone || output.id === current.id ? player.toggle() : onChoose(output.id))}
          onReload={onReload}
          onVideo={(video) => {
            if (video) videos.current.set(output.id, video);
            else videos.current.delete(output.id);
          }}
        />
      ))}
    </section>
  );
}

/** Pressing plays the file, or selects it among several. */
function StageVideo({
  output,
  isShown,
  isMarked,
  isMuted,
  platform,
  onPress,
  onReload,
  onVideo,
}: {
  output: JobOutput;
  isShown: boolean;
  isMarked: boolean;
  isMuted: boolean;
  platform: Platform | null;
  onPress: () => void;
  onReload: () => void;
  onVideo: (video: HTMLVideoElement | null) => void;
}) {
  // A signed link changes every hour; switching would restart the video.
  const [source, setSource] = useState(output.media_url);
  const [isBroken, setIsBroken] = useState(false);
  const width = output.width ?? 9;
  const height = output.height ?? 16;
  const look = verdictLook(output.verdict);
  function handleReload() {
    setIsBroken(false);
    setSource(output.media_url);
    onReload();
  }
  return (
    <div
      hidden={!isShown}
      className={classNames(
        "relative h-full max-w-full shrink-0 overflow-hidden rounded-1",
        isMarked && "outline-2 outline-offset-2 outline-ink",
      )}
      style={{ aspectRatio: `${width} / ${height}` }}
    >
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- captions are burned into the picture */}
      <video
        ref={onVideo}
        playsInline
        muted={isMuted}
        preload="auto"
        aria-label={output.name}
        tabIndex={-1}
        src={source ?? undefined}
        poster={output.cover_url ?? output.thumbnail_url ?? undefined}
        className="size-full object-contain"
        onError={() => setIsBroken(true)}
        onClick={onPress}
      />
      {platform && <PlatformGuide platform={platform} picture={{ width, height }} />}
      {output.verdict && (
        <span
          className={classNames(
            "pointer-events-none absolute top-2 left-2 flex items-center gap-1.5 rounded-1 bg-[#000000b8] px-1.5 py-0.5 text-12 font-medium",
            look.ink,
          )}
        >
          <Icon icon={look.icon} size={14} />
          {look.label}
        </span>
      )}
      {isBroken && (
        <div
          role="alert"
          className="absolute inset-0 grid place-content-center justify-items-center gap-2 bg-screen p-3 text-center text-12"
        >
          <Icon icon={CircleAlert} className="text-failed" />
          <p className="text-ink">This file can't be played. Its link may have expired.</p>
          <Button size="sm" onClick={handleReload}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
