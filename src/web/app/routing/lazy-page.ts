import { lazyRouteComponent } from "@tanstack/react-router";

/** Its code could not be loaded. */
export class PageNotLoaded extends Error {}

/**
 * Works like `lazyRouteComponent`, which would reload the page at once: while the server cannot be reached, the browser
 * would show its own error page.
 */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(
    () =>
      load().catch((cause: unknown): never => {
        throw new PageNotLoaded("The page's code could not be loaded.", { cause });
      }),
    name,
  );
}
