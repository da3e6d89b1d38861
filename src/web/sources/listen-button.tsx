import { ExternalLink, Play, Square } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import type { LibraryFile } from "#contract/calls.ts";
import { linkHostOf } from "#contract/sources/link-hosts.ts";
import { parseLink } from "#contract/sources/links.ts";
import { IconButton, iconButtonClasses } from "../ui/buttons/icon-button.tsx";
import { Icon } from "../ui/page/icon.tsx";
import { tooltip } from "../ui/page/tooltip.ts";
import { useToast } from "../ui/toasts/use-toast.ts";

/** All buttons share one player: one track at a time. */

type Playing = { url: string; state: "loading" | "playing" } | null;

export type Sound = Pick<HTMLAudioElement, "src" | "currentTime" | "play" | "pause" | "addEventListener">;

/** Calls `makeSound` on first playback. */
export function createTrackPlayer(makeSound: () => Sound) {
  let playing: Playing = null;
  let sound: Sound | null = null;
  const listeners = new Set<() => void>();
  const show = (next: Playing): void => {
    playing = next;
    for (const listener of listeners) listener();
  };
  const open = (): Sound => {
    if (sound) return sound;
    sound = makeSound();
    sound.addEventListener("playing", () => playing && show({ ...playing, state: "playing" }));
    sound.addEventListener("ended", () => show(null));
    return sound;
  };
  const stop = (): void => {
    sound?.pause();
    if (playing) show(null);
  };

  return {
    read: (): Playing => playing,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Stops the current track. Rejects if the new one cannot be played. */
    async play(url: string): Promise<void> {
      const element = open();
      element.src = url;
      show({ url, state: "loading" });
      try {
        await element.play();
      } catch (error) {
        // Another track was started, or this one stopped, before playback.
        if (playing?.url !== url) return;
        show(null);
        throw error;
      }
    },
    stop,
    stopIf(url: string): void {
      if (playing?.url === url) stop();
    },
  };
}

const player = createTrackPlayer(() => new Audio());

/** Stops playback on unmount. */
export function ListenButton({
  file,
  className,
}: {
  file: Pick<LibraryFile, "name" | "mediaUrl">;
  className?: string;
}) {
  const { name, mediaUrl } = file;
  const toast = useToast();
  const playing = useSyncExternalStore(player.subscribe, player.read);
  const isPlaying = playing?.url === mediaUrl;
  useEffect(() => () => player.stopIf(mediaUrl), [mediaUrl]);

  async function handlePlay() {
    try {
      await player.play(mediaUrl);
    } catch {
      toast.show({
        title: "Couldn't play the track",
        description: `${name} cannot be played in this browser.`,
        variant: "destructive",
      });
    }
  }
  return (
    <IconButton
      icon={isPlaying ? Square : Play}
      label={isPlaying ? `Stop ${name}` : `Play ${name}`}
      className={className}
      onClick={() => (isPlaying ? player.stop() : void handlePlay())}
    />
  );
}

/** Not played here, as that would reveal the listener to the site. Renders nothing for an invalid link. */
export function ListenLink({ link, name, className = "" }: { link: string; name: string; className?: string }) {
  const parsed = parseLink(link);
  const site = parsed && linkHostOf(parsed.host);
  const address = site?.addressOf(parsed!) ?? null;
  if (!site || address === null) return null;
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Listen to ${name} on ${site.label}, in a new tab`}
      className={`${iconButtonClasses} ${className}`}
      {...tooltip(`Listen on ${site.label}`)}
    >
      <Icon icon={ExternalLink} />
    </a>
  );
}
