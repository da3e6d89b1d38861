import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Toaster } from "../ui/toaster.tsx";
import { TooltipLayer } from "../ui/tooltip-layer.tsx";
import { createQueryClient } from "./query-client.ts";
import { router } from "./router.tsx";

/** Everything behind the sign-in. It is mounted anew for each session, and takes its cache with it when it goes. */
export default function SignedInApp() {
  const [queryClient] = useState(createQueryClient);
  useEffect(() => () => queryClient.clear(), [queryClient]);
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
