import { useMatches } from "@tanstack/react-router";

/** The title of the current route; "Dashboard" where a path has none, as the specification says. */
export function useRouteTitle(): string {
  return useMatches({ select: (matches) => matches.at(-1)?.staticData.title ?? "Dashboard" });
}
