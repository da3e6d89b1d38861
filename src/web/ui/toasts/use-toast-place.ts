import { useLayoutEffect, useRef, type RefObject } from "react";
import { controlBoxes, keepClearBoxes } from "../dialogs/keep-clear.ts";
import { type Box, placeToasts } from "./place-toasts.ts";

/** `staysOpen`: a toast does not expire, so it must not cover any control. */
export function useToastPlace(isShown: boolean, staysOpen: boolean): RefObject<HTMLElement | null> {
  const stack = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = stack.current;
    if (!isShown || !element) return undefined;
    const place = () => movePlace(element, staysOpen ? controlBoxes() : []);
    place();
    // Avoiding fields during a scroll would make the toast jump.
    return watchLayout(element, staysOpen ? "scrollend" : "scroll", place);
  }, [isShown, staysOpen]);
  return stack;
}

function movePlace(stack: HTMLElement, controls: readonly Box[]): void {
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const { right, bottom } = placeToasts({
    screen: { width, height },
    stack: { width: stack.offsetWidth, height: stack.offsetHeight },
    edge: Number.parseFloat(getComputedStyle(stack).getPropertyValue("--edge")),
    taken: keepClearBoxes(),
    controls,
  });
  stack.style.right = `${right}px`;
  stack.style.bottom = `${bottom}px`;
}

/** Calls `onChange` before the next frame after a possible layout change. Returns a function that stops. */
function watchLayout(stack: HTMLElement, scroll: "scroll" | "scrollend", onChange: () => void): () => void {
  const stop = new AbortController();
  let frame = 0;
  function changeSoon() {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      onChange();
    });
  }
  const sizes = new ResizeObserver(changeSoon);
  sizes.observe(stack);
  sizes.observe(document.body);
  const parts = new MutationObserver(changeSoon);
  // Not "style", which positions the stack itself.
  parts.observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ["class", "hidden"],
  });
  window.addEventListener(scroll, changeSoon, { capture: true, passive: true, signal: stop.signal });
  window.addEventListener("resize", changeSoon, { signal: stop.signal });
  document.addEventListener("transitionend", changeSoon, { signal: stop.signal });
  return () => {
    stop.abort();
    sizes.disconnect();
    parts.disconnect();
    cancelAnimationFrame(frame);
  };
}
