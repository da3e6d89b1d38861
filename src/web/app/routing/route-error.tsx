import { useEffect, useState } from "react";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { isJustReloaded, reloadOnceReady } from "../../ui/page/lazy-part.ts";
import { PageNotLoaded } from "./lazy-page.ts";

export function RouteError({ error }: ErrorComponentProps) {
  const [willReload] = useState(() => error instanceof PageNotLoaded && !isJustReloaded());
  useEffect(() => {
    if (!willReload) return undefined;
    const stop = new AbortController();
    void reloadOnceReady(stop.signal);
    return () => stop.abort();
  }, [willReload]);
  return (
    <Pane>
      <div className="pt-[12vh]">
        <ErrorState
          title="Couldn't load this page"
          text={
            willReload
              ? "The server can't be reached. This page will reload when the server is back."
              : "Something went wrong. Try again to reload the page."
          }
          // A reload also fetches code that a new version replaced.
          onRetry={willReload ? undefined : () => location.reload()}
        />
      </div>
    </Pane>
  );
}
