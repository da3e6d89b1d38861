import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Activity, useEffect, useState } from "react";
import { hasUnsavedForms } from "../editors/use-leave-confirmation.ts";
import { dismissToast, toastList } from "../ui/toasts/toast-list.ts";
import { Toaster } from "../ui/toasts/toaster.tsx";
import { TooltipLayer } from "../ui/page/tooltip-layer.tsx";
import { createQueryClient } from "./query-client.ts";
import { preloadScreens, router } from "./routing/router.tsx";

/** Lets the first screen load first. */
const PRELOAD_AFTER_MS = 2_000;

/**
 * Mounts once per account, with its own query cache. While hidden, its effects are off: nothing is fetched, subscribed
 * or listened for, and dialogs neither trap the focus nor close.
 */
export default function SignedInApp({ isHidden }: { isHidden: boolean }) {
  const [queryClient] = useState(createQueryClient);
  useEffect(
    () => () => {
      queryClient.clear();
      for (const { id } of toastList.read()) dismissToast(id);
    },
    [queryClient],
  );
  useEffect(() => {
    const timer = setTimeout(preload, PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => (isHidden ? stayOnScreen() : undefined), [isHidden]);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Activity mode={isHidden ? "hidden" : "visible"}>
          <RouterProvider router={router} />
          <Toaster />
          <TooltipLayer />
        </Activity>
      </QueryClientProvider>
    </CSPProvider>
  );
}

function preload(): void {
  preloadScreens();
  // If the sign-in form failed to load, the page would reload and lose the typed text.
  import("../features/sign-in/sign-in-page.tsx").catch(() => undefined);
  import("../features/sign-in/code-page.tsx").catch(() => undefined);
}

/** Keeps the address of the hidden screen while Back is pressed, and silences its players. */
function stayOnScreen(): () => void {
  for (const player of document.querySelectorAll<HTMLMediaElement>("audio, video")) player.pause();
  return router.history.block({ blockerFn: () => true, enableBeforeUnload: hasUnsavedForms });
}
