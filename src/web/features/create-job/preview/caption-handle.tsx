import { useState, type CSSProperties, type KeyboardEvent, type PointerEvent } from "react";
import type { CaptionPlace, PreviewResponse } from "#contract/calls.ts";
import { describeHeight } from "../../../jobs/describe-caption-look.ts";
import { classNames } from "../../../ui/class-names.ts";
import { moveByKey, moveTo, type Moved, rangeOf } from "./caption-drag.ts";

/** A move that the picture does not show yet. */
type Pending = Moved & { from: CaptionPlace };

/** Moves the caption up and down by dragging or arrow keys. Its parent has the size in which the picture fits. */
export function CaptionHandle({
  shown,
  place,
  onMove,
}: {
  shown: PreviewResponse;
  place: CaptionPlace;
  onMove: (y: number) => void;
}) {
  const [pending, setPending] = useState<Pending | null>(null);
  const [grip, setGrip] = useState<{ offset: number; startedAt: number } | null>(null);
  const moved = pending?.from === place ? pending : null;
  const { least, most } = rangeOf(place);
  const y = moved?.y ?? (place.top + place.bottom) / 2;
  const height = place.bottom - place.top;

  function shareAt({ clientY, currentTarget }: PointerEvent<HTMLElement>) {
    const picture = currentTarget.parentElement!.getBoundingClientRect();
    return (clientY - picture.top) / picture.height;
  }
  function handleDown(event: PointerEvent<HTMLElement>) {
    event.currentTarget.setPointerCapture(event.pointerId);
    setGrip({ offset: shareAt(event) - y, startedAt: event.clientY });
  }
  function handleMove(event: PointerEvent<HTMLElement>) {
    if (!grip || (!moved && Math.abs(event.clientY - grip.startedAt) < 3)) return;
    setPending({ ...moveTo(shareAt(event) - grip.offset, place), from: place });
  }
  function handleUp() {
    if (grip && moved) onMove(moved.y);
    setGrip(null);
  }
  function handleKey(event: KeyboardEvent) {
    const next = moveByKey(event.key, y, place);
    if (next === null) return;
    event.preventDefault();
    setPending({ y: next, snappedTo: null, from: place });
    onMove(next);
  }
  return (
    <div className="pointer-events-none absolute inset-0 [container-type:size]">
      <div
        className="absolute top-1/2 left-1/2 -translate-1/2"
        style={{
          width: `min(100cqw, 100cqh * ${shown.width / shown.height})`,
          aspectRatio: shown.width / shown.height,
        }}
      >
        {grip && moved?.snappedTo && <SnapLine y={lineOf(moved.snappedTo, place)} />}
        <div
          role="slider"
          tabIndex={0}
          aria-label="Caption position"
          aria-orientation="vertical"
          aria-valuemin={Math.round(least * 100)}
          aria-valuemax={Math.round(most * 100)}
          aria-valuenow={Math.round(y * 100)}
          aria-valuetext={describeHeight(y)}
          className={classNames(
            "pointer-events-auto absolute inset-x-0 cursor-ns-resize touch-none rounded-1 border border-dashed border-transparent hover:border-[#ffffffb0] focus-visible:outline-2 focus-visible:outline-focus",
            grip && "border-[#ffffffb0]",
          )}
          style={{
            top: percent(y - height / 2),
            height: percent(height),
            ...(moved && cutOut(shown.picture, place)),
          }}
          onPointerDown={handleDown}
          onPointerMove={handleMove}
          onPointerUp={handleUp}
          onPointerCancel={() => setGrip(null)}
          onKeyDown={handleKey}
        />
      </div>
    </div>
  );
}

/** Shows the caption's part of the picture at its new place until the new picture is there. */
function cutOut(picture: string, { top, bottom }: CaptionPlace): CSSProperties {
  const height = bottom - top;
  return {
    backgroundImage: `url(${picture})`,
    backgroundSize: `100% ${percent(1 / height)}`,
    backgroundPosition: `0 ${percent(top / (1 - height))}`,
    backgroundOrigin: "border-box",
  };
}

function SnapLine({ y }: { y: number }) {
  return <div aria-hidden className="absolute inset-x-0 h-px bg-[#ffd60a]" style={{ top: percent(y) }} />;
}

function lineOf(snappedTo: NonNullable<Moved["snappedTo"]>, { highest, lowest }: CaptionPlace): number {
  return { top: highest, middle: 0.5, bottom: lowest }[snappedTo];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}
