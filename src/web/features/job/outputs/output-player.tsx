import { Dialog } from "@base-ui/react/dialog";
import { Captions, ChevronLeft, ChevronRight, SquareSplitHorizontal, X } from "lucide-react";
import type { KeyboardEvent } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { formatCount } from "../../../jobs/row/pluralize.ts";
import { IconButton, iconButtonClasses } from "../../../ui/buttons/icon-button.tsx";
import { isToastPress } from "../../../ui/toasts/toaster.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { tooltip, tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { OutputLinks } from "./output-links.tsx";
import { stepFrom } from "./outputs-by-video.ts";

const STEPS: Record<string, 1 | -1> = { ArrowLeft: -1, ArrowRight: 1 };

/** Buttons and arrow keys step through the playlist. */
export default function OutputPlayer({
  output,
  atSeconds,
  playlist,
  isOpen,
  onPlay,
  onCompare,
  onClose,
}: {
  output: JobOutput;
  /** Starts there. */
  atSeconds?: number | undefined;
  /** All playable files. */
  playlist: readonly JobOutput[];
  isOpen: boolean;
  onPlay: (output: JobOutput) => void;
  onCompare: (output: JobOutput) => void;
  onClose: () => void;
}) {
  function step(by: 1 | -1) {
    const next = stepFrom(playlist, output.id, by);
    if (next) onPlay(next);
  }
  function handleKeyDown(event: KeyboardEvent) {
    const by = STEPS[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // Otherwise, arrow keys would seek in a focused video.
    event.preventDefault();
    step(by);
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open, { event }) => !open && !isToastPress(event) && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-scrim transition-opacity duration-(--d-3) data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          className="fixed top-1/2 left-1/2 z-20 flex max-h-[calc(100dvh-24px)] w-max max-w-[calc(100vw-24px)] min-w-75 -translate-1/2 flex-col overflow-hidden rounded-3 border border-line-strong bg-overlay shadow-sheet transition duration-(--d-3) ease-move outline-none data-ending-style:opacity-0 data-starting-style:-translate-y-[calc(50%-8px)] data-starting-style:opacity-0"
          onKeyDown={handleKeyDown}
        >
          <div className="flex items-center gap-3 py-2 pr-2 pl-4">
            <Dialog.Title
              dir="auto"
              className="raw w-0 min-w-0 flex-1 truncate text-13 font-medium"
              {...tooltipWhenCut(output.name)}
            >
              {output.name}
            </Dialog.Title>
            <Dialog.Close render={<IconButton icon={X} label="Close" />} />
          </div>
          <div className="flex min-h-0 justify-center bg-screen">
            {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- captions are burned into the picture */}
            <video
              controls
              autoPlay
              playsInline
              src={output.media_url === null ? undefined : output.media_url + (atSeconds ? `#t=${atSeconds}` : "")}
              poster={output.cover_url ?? output.thumbnail_url ?? undefined}
              width={output.width ?? undefined}
              height={output.height ?? undefined}
              className="h-auto max-h-[min(calc(100dvh-200px),860px)] min-h-0 w-auto max-w-full min-w-60 object-contain"
            />
          </div>
          {output.caption !== null && (
            <p
              dir="auto"
              className="max-h-18 w-0 min-w-full overflow-auto px-4 pt-2.5 text-ink wrap-anywhere whitespace-pre-line"
            >
              {output.caption}
            </p>
          )}
          {output.warnings.length > 0 && (
            <div className="w-0 min-w-full px-4 pt-2">
              {output.warnings.map(({ message }) => (
                <WarningNote key={message} text={message} />
              ))}
            </div>
          )}
          <div className="flex items-center gap-1 px-2 py-2">
            <PlaceInList playlist={playlist} output={output} onStep={step} />
            <span className="flex-1" />
            <IconButton icon={SquareSplitHorizontal} label="Compare" onClick={() => onCompare(output)} />
            {output.subtitles_url && (
              <a
                href={output.subtitles_url}
                download
                aria-label={`Download the subtitles of ${output.name}`}
                className={iconButtonClasses}
                {...tooltip("Download subtitles (SRT)")}
              >
                <Icon icon={Captions} />
              </a>
            )}
            {output.media_url && (
              <OutputLinks key={output.id} mediaUrl={output.media_url} name={output.name} link={output.link} />
            )}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PlaceInList({
  playlist,
  output,
  onStep,
}: {
  playlist: readonly JobOutput[];
  output: JobOutput;
  onStep: (by: 1 | -1) => void;
}) {
  if (playlist.length < 2) return null;
  const place = playlist.findIndex(({ id }) => id === output.id) + 1;
  return (
    <>
      <IconButton icon={ChevronLeft} label="Previous file" aria-keyshortcuts="ArrowLeft" onClick={() => onStep(-1)} />
      <span aria-live="polite" className="tnum text-12 text-ink-2">
        {formatCount(place)} of {formatCount(playlist.length)}
      </span>
      <IconButton icon={ChevronRight} label="Next file" aria-keyshortcuts="ArrowRight" onClick={() => onStep(1)} />
    </>
  );
}
