import { useLayoutEffect } from "react";

const KEY = "clipmill-reloaded-for";
/** If blocked again this soon, an outdated page is not the cause. */
const SOON_MS = 10_000;

/** Reloads if the browser refuses to frame `address`: allowed sites are fixed at page load, and it may be newer. */
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
