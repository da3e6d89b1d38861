import { useCallback, type RefCallback } from "react";

/** Marks the element that is a bar at the end of phone screens, so that toasts stand above it (`--bottom-bar`). */
export function useBottomBar(): RefCallback<HTMLElement> {
  return useCallback((bar: HTMLElement | null) => {
    if (!bar) return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty("--bottom-bar", `${bar.offsetHeight}px`));
    observer.observe(bar);
    return () => {
      observer.disconnect();
      style.removeProperty("--bottom-bar");
    };
  }, []);
}
