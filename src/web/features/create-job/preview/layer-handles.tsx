import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from "react";
import type { LayerPlace, PreviewResponse } from "#contract/calls.ts";
import type { Layer } from "#contract/jobs/outputs/layers.ts";
import { classNames } from "../../../ui/class-names.ts";
import { percent, PictureFrame } from "./caption-handle.tsx";
import { type Moved, movePoint, movePointByKey, type Point } from "./move-point.ts";

/** In pixels and shares. `offset`: from the pointer to the layer's middle. */
type Drag = { offset: Point; startedAt: Point; moved: Moved | null };

/** Shorter moves are clicks. */
const CLICK_PIXELS = 3;
/** Rounding error between the picture and the form. */
const SAME_PLACE = 0.002;

/** Moves layers by dragging or arrow keys. The parent must have the picture's size. */
export function LayerHandles({
  shown,
  layers,
  onMove,
}: {
  shown: PreviewResponse;
  layers: readonly Layer[];
  onMove: (place: number, point: Point) => void;
}) {
  // Until the next picture arrives, it has other layers.
  if (layers.length === 0 || shown.layers.length !== layers.length) return null;
  return (
    <PictureFrame shown={shown}>
      {layers.map((layer, place) => {
        const area = shown.layers[place];
        return (
          area && (
            <LayerHandle
              // oxlint-disable-next-line react/no-array-index-key -- layers have no identity but their place
              key={place}
              label={`Place of layer ${place + 1}`}
              shown={shown}
              layer={layer}
              area={area}
              onMove={(point) => onMove(place, point)}
            />
          )
        );
      })}
    </PictureFrame>
  );
}

function LayerHandle({
  label,
  shown,
  layer: { x, y },
  area,
  onMove,
}: {
  label: string;
  shown: PreviewResponse;
  layer: Layer;
  area: LayerPlace;
  onMove: (point: Point) => void;
}) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const middle = { x: (area.left + area.right) / 2, y: (area.top + area.bottom) / 2 };
  // The picture may lag behind the form.
  const asked = x == null || y == null ? middle : movePoint({ x, y }, area, shown.safe_area, 0).point;
  const point = drag?.moved?.point ?? asked;
  const isMoved = Math.max(Math.abs(point.x - middle.x), Math.abs(point.y - middle.y)) > SAME_PLACE;
  const [width, height] = [area.right - area.left, area.bottom - area.top];
  const box = { left: percent(point.x - width / 2), top: percent(point.y - height / 2) };

  function handleDown(event: PointerEvent<HTMLElement>) {
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = shareAt(event);
    const offset = { x: at.x - point.x, y: at.y - point.y };
    setDrag({ offset, startedAt: { x: event.clientX, y: event.clientY }, moved: null });
  }
  function handleMove(event: PointerEvent<HTMLElement>) {
    if (!drag) return;
    const distance = Math.hypot(event.clientX - drag.startedAt.x, event.clientY - drag.startedAt.y);
    if (!drag.moved && distance < CLICK_PIXELS) return;
    const at = shareAt(event);
    const wanted = { x: at.x - drag.offset.x, y: at.y - drag.offset.y };
    setDrag({ ...drag, moved: movePoint(wanted, area, shown.safe_area) });
  }
  function handleUp() {
    if (drag?.moved) onMove(drag.moved.point);
    setDrag(null);
  }
  function handleKey(event: KeyboardEvent) {
    const next = movePointByKey(event.key, point, area, shown.safe_area);
    if (next === null) return;
    event.preventDefault();
    onMove(next);
  }
  return (
    <>
      {isMoved && (
        <div aria-hidden className="absolute bg-screen opacity-60" style={{ ...boxOf(area), width: percent(width) }} />
      )}
      {drag?.moved?.snappedX != null && (
        <div
          aria-hidden
          className="absolute inset-y-0 w-px bg-[#ffd60a]"
          style={{ left: percent(drag.moved.snappedX) }}
        />
      )}
      {drag?.moved?.snappedY != null && (
        <div
          aria-hidden
          className="absolute inset-x-0 h-px bg-[#ffd60a]"
          style={{ top: percent(drag.moved.snappedY) }}
        />
      )}
      <button
        type="button"
        aria-label={`${label}: ${Math.round(point.x * 100)}% from the left, ${Math.round(point.y * 100)}% from the top`}
        className={classNames(
          "pointer-events-auto absolute cursor-move touch-none rounded-1 border border-dashed border-transparent hover:border-[#ffffffb0] focus-visible:outline-2 focus-visible:outline-focus",
          drag && "border-[#ffffffb0]",
        )}
        style={{
          ...box,
          width: percent(width),
          height: percent(height),
          ...(isMoved && cutOut(shown.picture, area)),
        }}
        onPointerDown={handleDown}
        onPointerMove={handleMove}
        onPointerUp={handleUp}
        onPointerCancel={() => setDrag(null)}
        onKeyDown={handleKey}
      />
    </>
  );
}

function boxOf({ left, top, bottom }: LayerPlace): CSSProperties {
  return { left: percent(left), top: percent(top), height: percent(bottom - top) };
}

function shareAt({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>): Point {
  const picture = currentTarget.parentElement!.getBoundingClientRect();
  return { x: (clientX - picture.left) / picture.width, y: (clientY - picture.top) / picture.height };
}

/** The layer's part of the picture, shown at its new place until the new picture loads. */
function cutOut(picture: string, { left, right, top, bottom }: LayerPlace): CSSProperties {
  const [width, height] = [right - left, bottom - top];
  return {
    backgroundImage: `url(${picture})`,
    backgroundSize: `${percent(1 / width)} ${percent(1 / height)}`,
    backgroundPosition: `${percent(shift(left, width))} ${percent(shift(top, height))}`,
    backgroundOrigin: "border-box",
  };
}

/** The position of a background in CSS: a share of the space that it leaves free. */
function shift(from: number, length: number): number {
  return length < 1 ? from / (1 - length) : 0;
}
