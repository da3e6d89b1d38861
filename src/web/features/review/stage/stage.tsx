import { useEffect, useRef } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { Platform } from "#contract/jobs/outputs/platforms.ts";
import type { SyncedPlayer } from "../../../jobs/player/synced-player.ts";
import { StageVideo } from "./stage-video.tsx";

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
