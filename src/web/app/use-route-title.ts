import { useMatches } from "@tanstack/react-router";

/** The title of the route one is on; "Dashboard" where a path has none. */
export function useRouteTitle(): string {
  return useMatches({ select: (matches) => matches.at(-1)?.staticData.title ?? "Dashboard" });
}
