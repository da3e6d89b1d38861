import { useEffect, useState } from "react";

/** Longer than the second click of a double click takes. */
const SETTLED_MS = 1_000;

/**
 * False until the page has been in front for a second: a site could ask for a double click, and open this page under the
 * second one.
 */
export function useSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function update() {
      clearTimeout(timer);
      setIsSettled(false);
      if (document.visibilityState === "visible" && document.hasFocus())
        timer = setTimeout(() => setIsSettled(true), SETTLED_MS);
    }
    update();
    const stop = new AbortController();
    for (const type of ["focus", "blur", "visibilitychange"]) {
      window.addEventListener(type, update, { signal: stop.signal });
    }
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, []);
  return isSettled;
}
