import { rootRouteId, useMatches } from "@tanstack/react-router";

/** The title of the current route; "Dashboard" where a route has none. An address without a route says so. */
export function useRouteTitle(): string {
  return useMatches({
    select: (matches) => {
      const last = matches.at(-1);
      return last?.routeId === rootRouteId ? "Page not found" : (last?.staticData.title ?? "Dashboard");
    },
  });
}
