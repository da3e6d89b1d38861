import { type ComponentType, lazy, type LazyExoticComponent } from "react";

const RETRY_MS = 1_000;
/** A restart does not cause a failure this soon after a reload. */
const MIN_PAGE_MS = 10_000;

/** Works like `lazy`, and reloads the page if the code cannot be loaded: see `reloadOnceReady`. */
export function lazyPart<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().catch(async (error: unknown): Promise<never> => {
      if (isJustReloaded()) throw error;
      await reloadOnceReady();
      return new Promise(() => {});
    }),
  );
}

export function isJustReloaded(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return navigation?.type === "reload" && performance.now() < MIN_PAGE_MS;
}

/**
 * For code that could not be loaded while the server restarts or is upgraded: Chromium never loads a module again whose
 * first load failed, and an upgrade renames modules.
 */
export async function reloadOnceReady(signal?: AbortSignal): Promise<void> {
  while (!(await isReady())) {
    if (signal?.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  if (!signal?.aborted) location.reload();
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch("/ready")).ok;
  } catch {
    return false;
  }
}
