import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Toaster } from "../ui/toasts/toaster.tsx";
import { TooltipLayer } from "../ui/page/tooltip-layer.tsx";
import { createQueryClient } from "./query-client.ts";
import { preloadScreens, router } from "./routing/router.tsx";

/** Lets the first screen load first. */
const PRELOAD_AFTER_MS = 2_000;

/** Mounts once per session, with its own query cache. */
export default function SignedInApp() {
  const [queryClient] = useState(createQueryClient);
  useEffect(() => () => queryClient.clear(), [queryClient]);
  useEffect(() => {
    const timer = setTimeout(preloadScreens, PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toaster />
        <TooltipLayer />
      </QueryClientProvider>
    </CSPProvider>
  );
}
