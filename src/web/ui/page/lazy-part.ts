import { type ComponentType, lazy, type LazyExoticComponent } from "react";

const AGAIN_MS = 1_000;
const MOST_TRIES = 60;

/**
 * As React's `lazy`, but a part whose code cannot be fetched is asked for again, for a minute: a server that restarts while a
 * screen opens must not break the screen. Until it comes the fallback stands there.
 */
export function lazyPart<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => loadAtLast(load, MOST_TRIES));
}

async function loadAtLast<Part>(load: () => Promise<Part>, tries: number): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (tries <= 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    return loadAtLast(load, tries - 1);
  }
}
