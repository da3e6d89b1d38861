/** Counts renders of job cards in React's own tree, because a render without changes leaves no trace in the DOM. */
import type { Page } from "@playwright/test";

/** A rendered fiber has flag 1 and is a new object. */
type Fiber = { flags: number; memoizedProps: unknown; child: Fiber | null; sibling: Fiber | null };

declare global {
  interface Window {
    drawnCards: string[];
  }
}

/** Records each rendered card's job. Call before the page loads. */
export async function countDrawnCards(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.drawnCards = [];
    const lastSeen = new Map<string, Fiber>();
    const visit = (fiber: Fiber): void => {
      const props = fiber.memoizedProps as { job?: { id: string }; onToggle?: unknown } | null;
      // Only history cards have both props.
      if (props && typeof props === "object" && props.job && props.onToggle) {
        if (lastSeen.get(props.job.id) !== fiber && (fiber.flags & 1) === 1) window.drawnCards.push(props.job.id);
        lastSeen.set(props.job.id, fiber);
        return;
      }
      for (let child = fiber.child; child; child = child.sibling) visit(child);
    };
    Object.assign(window, {
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        inject: () => 1,
        onCommitFiberRoot: (_id: number, root: { current: Fiber }) => visit(root.current),
        onCommitFiberUnmount: () => undefined,
        onPostCommitFiberRoot: () => undefined,
        checkDCE: () => undefined,
      },
    });
  });
}
