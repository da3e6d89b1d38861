import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";
import type { CaptionPlace, PreviewResponse } from "#contract/calls.ts";
import { describeHeight } from "../../../jobs/describe-caption-look.ts";
import { classNames } from "../../../ui/class-names.ts";

/** In pixels. `offset`: from the pointer to the caption's middle. */
type Drag = { offset: number; startedAt: number; moved: Moved | null };

/** Shorter moves are clicks. */
const CLICK_PIXELS = 3;

/** Rounding error between the picture and the form. Beyond it, the caption is shown as a cut-out. */
const SAME_PLACE = 0.002;

/** Moves the caption by dragging or arrow keys. The parent must have the picture's size. */
export function CaptionHandle({
  shown,
  place,
  captionY,
  onMove,
}: {
  shown: PreviewResponse;
  place: CaptionPlace;
  /** The form's value; the picture may lag behind. */
  captionY: number | null;
  onMove: (y: number) => void;
}) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const { least, most } = rangeOf(place);
  const [height, middle] = [place.bottom - place.top, (place.top + place.bottom) / 2];
  const y = drag?.moved?.y ?? (captionY === null ? middle : Math.min(most, Math.max(least, captionY)));
  const isMoved = Math.abs(y - middle) > SAME_PLACE;
  const snappedTo = drag?.moved?.snappedTo;

  function handleDown(event: PointerEvent<HTMLElement>) {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ offset: shareAt(event) - y, startedAt: event.clientY, moved: null });
  }
  function handleMove(event: PointerEvent<HTMLElement>) {
    if (!drag || (!drag.moved && Math.abs(event.clientY - drag.startedAt) < CLICK_PIXELS)) return;
    setDrag({ ...drag, moved: moveTo(shareAt(event) - drag.offset, place) });
  }
  function handleUp() {
    if (drag?.moved) onMove(drag.moved.y);
    setDrag(null);
  }
  function handleKey(event: KeyboardEvent) {
    const next = moveByKey(event.key, y, place);
    if (next === null) return;
    event.preventDefault();
    onMove(next);
  }
  return (
    <PictureFrame shown={shown}>
      {isMoved && (
        <div
          aria-hidden
          className="absolute inset-x-0 bg-screen opacity-60"
          style={{ top: percent(place.top), height: percent(height) }}
        />
      )}
      {snappedTo && <SnapLine y={lineOf(snappedTo, place)} />}
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input's thumb cannot have the caption's size
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
          drag && "border-[#ffffffb0]",
        )}
        style={{
          top: percent(y - height / 2),
          height: percent(height),
          ...(isMoved && cutOut(shown.picture, place)),
        }}
        onPointerDown={handleDown}
        onPointerMove={handleMove}
        onPointerUp={handleUp}
        onPointerCancel={() => setDrag(null)}
        onKeyDown={handleKey}
      />
    </PictureFrame>
  );
}

/** Has the picture's size inside its parent. */
export function PictureFrame({ shown, children }: { shown: PreviewResponse; children: ReactNode }) {
  return (
    <div className="pointer-events-none absolute inset-0 [container-type:size]">
      <div
        className="absolute top-1/2 left-1/2 -translate-1/2"
        style={{
          width: `min(100cqw, 100cqh * ${shown.width / shown.height})`,
          aspectRatio: shown.width / shown.height,
        }}
      >
        {children}
      </div>
    </div>
  );
}

function shareAt({ clientY, currentTarget }: PointerEvent<HTMLElement>): number {
  const picture = currentTarget.parentElement!.getBoundingClientRect();
  return (clientY - picture.top) / picture.height;
}

/** The caption's part of the picture, shown at its new position until the new picture loads. */
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

export function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

/** Share of the picture's height. */
const SNAP = 0.02;

/** `y`: the caption's middle, as a share of the picture's height. */
type Moved = { y: number; snappedTo: "top" | "middle" | "bottom" | null };

/** Returns where the caption's middle can be with all of it in the safe area. */
function rangeOf({ top, bottom, highest, lowest }: CaptionPlace): { least: number; most: number } {
  const half = (bottom - top) / 2;
  const least = highest + half;
  return { least, most: Math.max(least, lowest - half) };
}

/** Clamps to the safe area; snaps to its edges and to the middle of the picture. */
export function moveTo(y: number, place: CaptionPlace): Moved {
  const { least, most } = rangeOf(place);
  const inside = Math.min(most, Math.max(least, y));
  const targets = [
    { y: least, snappedTo: "top" },
    { y: 0.5, snappedTo: "middle" },
    { y: most, snappedTo: "bottom" },
  ] as const;
  const target = targets.find((one) => Math.abs(one.y - inside) <= SNAP && one.y >= least && one.y <= most);
  return target ? { y: round(target.y), snappedTo: target.snappedTo } : { y: round(inside), snappedTo: null };
}

/** Returns null for other keys. */
export function moveByKey(key: string, y: number, place: CaptionPlace): number | null {
  const { least, most } = rangeOf(place);
  const targets: Record<string, number> = {
    ArrowUp: y - 0.01,
    ArrowDown: y + 0.01,
    PageUp: y - 0.1,
    PageDown: y + 0.1,
    Home: least,
    End: most,
  };
  const target = targets[key];
  return target === undefined ? null : round(Math.min(most, Math.max(least, target)));
}

/** A thousandth is about two pixels of 1920. */
function round(y: number): number {
  return Math.round(y * 1_000) / 1_000;
}
