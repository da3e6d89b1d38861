import { type ComponentType, lazy, type LazyExoticComponent } from "react";

const RETRY_MS = 1_000;
const MAX_TRIES = 60;

/** Works like `lazy`, with retries for a minute, so that a server restart does not break an opening screen. */
export function lazyPart<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => loadWithRetries(load, MAX_TRIES));
}

async function loadWithRetries<Part>(load: () => Promise<Part>, tries: number): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (tries <= 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return loadWithRetries(load, tries - 1);
  }
}
