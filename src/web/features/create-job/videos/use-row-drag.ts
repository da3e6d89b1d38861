import { useCallback, useEffect, useRef, useState, type PointerEvent, type RefObject } from "react";

/** Pixels from an end of the list at which dragging scrolls. */
const EDGE_PX = 36;
const SCROLL_PX = 10;

/** `line`: drop position, in pixels from the top of all rows; `to`: index of the row below it. */
export type RowDrag = { key: string; to: number; line: number };

/** Escape cancels the drag. */
export function useRowDrag(
  scroller: RefObject<HTMLElement | null>,
  /** `offset` in pixels from the top of all rows. */
  placeAt: (offset: number) => { to: number; line: number } | null,
  onDrop: (key: string, to: number) => void,
) {
  const [drag, setDrag] = useState<RowDrag | null>(null);
  const latest = useRef({ placeAt, onDrop });
  const stop = useRef<AbortController | null>(null);
  useEffect(() => {
    latest.current = { placeAt, onDrop };
  });
  useEffect(() => () => stop.current?.abort(), []);

  const startDrag = useCallback(
    (event: PointerEvent, key: string) => {
      const area = scroller.current;
      if (event.button !== 0 || !area) return;
      stop.current?.abort();
      const ended = new AbortController();
      stop.current = ended;
      let clientY = event.clientY;
      let dropTo: number | null = null;
      let frame = 0;
      const follow = () => {
        const { top, bottom } = area.getBoundingClientRect();
        if (clientY < top + EDGE_PX) area.scrollTop -= SCROLL_PX;
        if (clientY > bottom - EDGE_PX) area.scrollTop += SCROLL_PX;
        const place = latest.current.placeAt(clientY - top + area.scrollTop);
        if (place) {
          dropTo = place.to;
          setDrag((shown) => (shown?.line === place.line && shown.to === place.to ? shown : { key, ...place }));
        }
        frame = requestAnimationFrame(follow);
      };
      const end = () => ended.abort();
      ended.signal.addEventListener("abort", () => {
        cancelAnimationFrame(frame);
        setDrag(null);
      });
      window.addEventListener(
        "pointermove",
        (move) => {
          clientY = move.clientY;
          if (frame === 0) follow();
        },
        ended,
      );
      window.addEventListener(
        "pointerup",
        () => {
          end();
          if (dropTo !== null) latest.current.onDrop(key, dropTo);
        },
        ended,
      );
      window.addEventListener("pointercancel", end, ended);
      window.addEventListener("keydown", (pressed) => pressed.key === "Escape" && end(), ended);
    },
    [scroller],
  );
  return { drag, startDrag };
}
