import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Toaster } from "../ui/toasts/toaster.tsx";
import { TooltipLayer } from "../ui/page/tooltip-layer.tsx";
import { createQueryClient } from "./query-client.ts";
import { preloadScreens, router } from "./routing/router.tsx";

/** The first screen's own code and data go first. */
const PRELOAD_AFTER_MS = 2_000;

/** Everything behind the sign-in. It is mounted anew for each session, and takes its cache with it when it goes. */
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
