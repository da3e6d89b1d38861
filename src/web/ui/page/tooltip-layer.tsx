import { useEffect, useLayoutEffect, useRef, useState } from "react";

const REST_MS = 450;
const GAP_PX = 6;
const EDGE_PX = 8;

/**
 * Serves all elements with `data-tooltip`, so that rows need no components. Hidden from screen readers: it repeats the
 * label.
 */
export function TooltipLayer() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  useEffect(() => listenForAnchors(setAnchor), []);
  return anchor?.dataset.tooltip ? <Bubble anchor={anchor} text={anchor.dataset.tooltip} /> : null;
}

function Bubble({ anchor, text }: { anchor: HTMLElement; text: string }) {
  const bubble = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = bubble.current;
    if (!element) return;
    // The top layer is above dialogs and sheets.
    element.showPopover();
    place(element, anchor.getBoundingClientRect());
  }, [anchor]);
  return (
    <div
      ref={bubble}
      popover="manual"
      aria-hidden
      className="pointer-events-none fixed inset-auto m-0 max-w-80 rounded-2 border border-line-strong bg-overlay px-2 py-1 text-12 wrap-anywhere text-ink shadow-pop"
    >
      {text}
    </div>
  );
}

function place(bubble: HTMLElement, anchor: DOMRect) {
  const { width, height } = bubble.getBoundingClientRect();
  const centered = anchor.left + anchor.width / 2 - width / 2;
  const left = Math.max(EDGE_PX, Math.min(centered, document.documentElement.clientWidth - width - EDGE_PX));
  const below = anchor.bottom + GAP_PX;
  const hasRoomBelow = below + height + EDGE_PX <= window.innerHeight;
  bubble.style.left = `${left}px`;
  bubble.style.top = `${hasRoomBelow ? below : anchor.top - GAP_PX - height}px`;
}

function listenForAnchors(onChange: (anchor: HTMLElement | null) => void): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function hide() {
    clearTimeout(timer);
    onChange(null);
  }
  function handlePointerOver(event: PointerEvent) {
    clearTimeout(timer);
    const anchor = anchorOf(event.target);
    if (!anchor || event.pointerType === "touch") onChange(null);
    else timer = setTimeout(onChange, REST_MS, anchor);
  }
  function handleFocus(event: FocusEvent) {
    const anchor = anchorOf(event.target);
    if (anchor?.matches(":focus-visible")) onChange(anchor);
  }
  function handleKey(event: KeyboardEvent) {
    if (event.key === "Escape") hide();
  }

  const options = { signal: stop.signal };
  document.addEventListener("pointerover", handlePointerOver, options);
  document.addEventListener("pointerdown", hide, options);
  document.addEventListener("focusin", handleFocus, options);
  document.addEventListener("focusout", hide, options);
  document.addEventListener("keydown", handleKey, options);
  document.addEventListener("scroll", hide, { ...options, capture: true });
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}

function anchorOf(target: EventTarget | null): HTMLElement | null {
  const anchor = target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;
  return anchor?.dataset.tooltipWhenCut === undefined || isCut(anchor) ? anchor : null;
}

function isCut(anchor: HTMLElement): boolean {
  return [anchor, ...anchor.children].some(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      // Clamped text overflows vertically; an inline element has no height.
      scrollWidth > clientWidth || (clientHeight > 0 && scrollHeight > clientHeight),
  );
}
