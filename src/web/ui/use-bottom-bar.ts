import { useCallback, type RefCallback } from "react";

/**
 * Marks an element that toasts stand above: the bar at the end of phone screens (`--bottom-bar`), or the buttons of the
 * sheet that is open (`--sheet-footer`).
 */
export function useBottomBar(property: "--bottom-bar" | "--sheet-footer" = "--bottom-bar"): RefCallback<HTMLElement> {
  return useCallback(
    (bar: HTMLElement | null) => {
      if (!bar) return undefined;
      const { style } = document.documentElement;
      const observer = new ResizeObserver(() => style.setProperty(property, `${bar.offsetHeight}px`));
      observer.observe(bar);
      return () => {
        observer.disconnect();
        style.removeProperty(property);
      };
    },
    [property],
  );
}
