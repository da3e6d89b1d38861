import { useLayoutEffect } from "react";

const KEY = "clipmill-reloaded-for";
/** Blocked again so soon after a reload, it is not this page that is out of date. */
const SOON_MS = 10_000;

/**
 * Loads the page afresh when the browser refuses to frame `address`: which sites may be framed was said when it was loaded, and
 * the address may have been saved since.
 */
export function useReloadWhenBlocked(address: string): void {
  useLayoutEffect(() => {
    const stop = new AbortController();
    document.addEventListener(
      "securitypolicyviolation",
      ({ effectiveDirective }) => {
        if (effectiveDirective !== "frame-src") return;
        const [before, at] = (sessionStorage.getItem(KEY) ?? "").split(" ");
        if (before === encodeURI(address) && Date.now() - Number(at) < SOON_MS) return;
        sessionStorage.setItem(KEY, `${encodeURI(address)} ${Date.now()}`);
        location.reload();
      },
      stop,
    );
    return () => stop.abort();
  }, [address]);
}
