import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";
import type { CaptionPlace, PreviewResponse } from "#contract/calls.ts";
import { describeHeight } from "../../../jobs/describe-caption-look.ts";
import { classNames } from "../../../ui/class-names.ts";
import { moveAlong, rangeOf, SNAP } from "./move-point.ts";

/** In pixels. `offset`: from the pointer to the caption's middle. */
type Drag = { offset: number; startedAt: number; moved: ReturnType<typeof moveCaption> | null };

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
  const [height, middle] = [place.bottom - place.top, (place.top + place.bottom) / 2];
  const { least, most } = rangeOf(height, { from: place.highest, to: place.lowest });
  const y = drag?.moved?.at ?? (captionY === null ? middle : Math.min(most, Math.max(least, captionY)));
  const isMoved = Math.abs(y - middle) > SAME_PLACE;
  const line = drag?.moved?.line ?? null;

  function handleDown(event: PointerEvent<HTMLElement>) {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ offset: shareAt(event) - y, startedAt: event.clientY, moved: null });
  }
  function handleMove(event: PointerEvent<HTMLElement>) {
    if (!drag || (!drag.moved && Math.abs(event.clientY - drag.startedAt) < CLICK_PIXELS)) return;
    setDrag({ ...drag, moved: moveCaption(shareAt(event) - drag.offset, place) });
  }
  function handleUp() {
    if (drag?.moved) onMove(drag.moved.at);
    setDrag(null);
  }
  function handleKey(event: KeyboardEvent) {
    const next = moveCaptionByKey(event.key, y, place);
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
      {line !== null && <SnapLine y={line} />}
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

export function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

/** Moves the caption's middle to `y`, a share of the picture's height, within the safe area. */
export function moveCaption(y: number, { top, bottom, highest, lowest }: CaptionPlace, snap = SNAP) {
  return moveAlong(y, bottom - top, { from: highest, to: lowest, snap });
}

/** Returns null for other keys. */
export function moveCaptionByKey(key: string, y: number, place: CaptionPlace): number | null {
  const targets: Record<string, number> = {
    ArrowUp: y - 0.01,
    ArrowDown: y + 0.01,
    PageUp: y - 0.1,
    PageDown: y + 0.1,
    Home: 0,
    End: 1,
  };
  const target = targets[key];
  return target === undefined ? null : moveCaption(target, place, 0).at;
}
