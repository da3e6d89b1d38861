import { useEffect, useRef, useState } from "react";
import { type Combination, clipName, type Slot } from "#contract/jobs/assemblies/slots.ts";
import { libraryIdOf } from "../../../sources/named-sources.ts";
import { useLibrary } from "../../../sources/use-library.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import type { VideoRow } from "../videos/read-rows.ts";

/** How long a picture stands for a clip that the browser cannot play. */
const PICTURE_SECONDS = 3;

/** Plays the clips in a row, without a render. Links cannot be played: their pictures stand for them. */
export default function JoinedPreview({
  slots,
  combination,
  speed,
  facts,
  isOpen,
  onClose,
}: {
  slots: readonly Slot[];
  combination: Combination;
  /** Of clips without their own. */
  speed: number;
  facts: ReadonlyMap<string, VideoRow>;
  isOpen: boolean;
  onClose: () => void;
}) {
  const clips = combination.map((clip, i) => slots[i]!.clips[clip]!);
  const library = useLibrary(clips.map(({ link }) => link));
  const [at, setAt] = useState(0);
  const [shown, setShown] = useState(combination);
  if (shown !== combination) {
    setShown(combination);
    setAt(0);
  }
  const clip = clips[at]!;
  const file = library?.find(({ id }) => id === libraryIdOf(clip.link));
  const next = () => setAt(Math.min(at + 1, clips.length - 1));
  const title = combination.map((place, i) => clipName(slots[i]!, place)).join(" + ");
  return (
    <Dialog
      isOpen={isOpen}
      title={title}
      text="The clips at their speed, before captions, crop and sound."
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={() => setAt(0)}>
            Play again
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div className="grid justify-items-center gap-2">
        <div className="grid h-96 w-full place-items-center overflow-hidden rounded-2 bg-screen">
          {file ? (
            <ClipPlayer
              key={`${at} ${clip.link}`}
              clip={clip}
              speed={clip.speed ?? speed}
              url={file.mediaUrl}
              onEnded={next}
            />
          ) : (
            <ClipPicture
              key={`${at} ${clip.link}`}
              url={facts.get(clip.link)?.thumbnailUrl ?? null}
              seconds={(facts.get(clip.link)?.durationSeconds ?? PICTURE_SECONDS) / (clip.speed ?? speed)}
              onEnded={next}
            />
          )}
        </div>
        <output className="tnum text-12 text-ink-3">
          {clipName(slots[at]!, combination[at]!)}, {at + 1} of {clips.length}
        </output>
      </div>
    </Dialog>
  );
}

function ClipPlayer({
  clip: { start_seconds: start = 0, end_seconds: end = null },
  speed,
  url,
  onEnded,
}: {
  clip: Slot["clips"][number];
  speed: number;
  url: string;
  onEnded: () => void;
}) {
  const video = useRef<HTMLVideoElement>(null);
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- the operator's own footage has no caption track
    <video
      ref={video}
      autoPlay
      playsInline
      controls
      src={url}
      className="h-full max-w-full object-contain"
      onLoadedMetadata={({ currentTarget }) => {
        currentTarget.currentTime = start;
        // Also the default, which loading sets.
        currentTarget.defaultPlaybackRate = speed;
        currentTarget.playbackRate = speed;
      }}
      onTimeUpdate={({ currentTarget }) => {
        if (end !== null && currentTarget.currentTime >= end) onEnded();
      }}
      onEnded={onEnded}
    />
  );
}

function ClipPicture({ url, seconds, onEnded }: { url: string | null; seconds: number; onEnded: () => void }) {
  const handleEnded = useRef(onEnded);
  useEffect(() => {
    handleEnded.current = onEnded;
  });
  useEffect(() => {
    const timer = setTimeout(() => handleEnded.current(), Math.min(seconds, PICTURE_SECONDS) * 1_000);
    return () => clearTimeout(timer);
  }, [seconds]);
  if (url === null) return <p className="text-12 text-ink-3">This clip has no picture yet.</p>;
  return <img src={url} alt="" className="h-full max-w-full object-contain" />;
}
