import { ExternalLink, Play, Square } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import type { LibraryFile } from "#contract/calls.ts";
import { linkHostOf } from "#contract/sources/link-hosts.ts";
import { parseLink } from "#contract/sources/links.ts";
import { IconButton, iconButtonClasses } from "../ui/buttons/icon-button.tsx";
import { Icon } from "../ui/page/icon.tsx";
import { tooltip } from "../ui/page/tooltip.ts";
import { useToast } from "../ui/toasts/use-toast.ts";
import { createTrackPlayer } from "./track-player.ts";

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
