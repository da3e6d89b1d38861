import { CircleAlert } from "lucide-react";
import { useEffect, useState, type RefObject } from "react";
import type { SyncedPlayer } from "../../../jobs/player/synced-player.ts";
import { Transport } from "../../../jobs/player/transport.tsx";
import { Icon } from "../../../ui/page/icon.tsx";

/** The source that was transcribed, while its text is edited beside it. */
export function Player({
  name,
  source,
  player,
  video,
}: {
  name: string;
  source: string;
  player: SyncedPlayer;
  video: RefObject<HTMLVideoElement | null>;
}) {
  // Saves sign the link again; switching would restart the video.
  const [address] = useState(source);
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    if (video.current) player.setTracks([{ video: video.current, startSeconds: 0 }]);
  }, [player, video]);
  return (
    <section aria-label="Player" className="max-desk:flex max-desk:items-stretch max-desk:gap-2">
      <div
        data-theme="dark"
        className="relative grid h-[38dvh] max-h-96 min-h-40 place-items-center overflow-hidden bg-screen desk:rounded-t-3 max-desk:h-28 max-desk:min-h-0 max-desk:w-28 max-desk:shrink-0"
      >
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- its words are beside it */}
        <video
          ref={video}
          playsInline
          preload="metadata"
          aria-label={name}
          tabIndex={-1}
          src={address}
          className="size-full object-contain"
          onError={() => setIsBroken(true)}
          onClick={player.toggle}
        />
        {isBroken && (
          <p className="absolute inset-0 grid content-center justify-items-center gap-1.5 bg-screen p-3 text-center text-12 text-balance text-ink-2">
            <Icon icon={CircleAlert} className="text-failed" />
            This source can't be played here. You can still edit its transcript.
          </p>
        )}
      </div>
      <div className="flex min-w-0 flex-1 items-center px-3 py-2 max-desk:px-0 max-desk:pr-3">
        <Transport player={player} />
      </div>
    </section>
  );
}
