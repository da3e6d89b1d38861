/** Counts which cards React draws, by what React itself keeps: a card drawn again to the same picture changes nothing in the DOM. */
import type { Page } from "@playwright/test";

/** Part of React's own tree. A fiber that was drawn has flag 1, and is another object than in the tree before. */
type Fiber = { flags: number; memoizedProps: unknown; child: Fiber | null; sibling: Fiber | null };

declare global {
  interface Window {
    drawnCards: string[];
  }
}

/** Before the page loads: notes the job of each card that is drawn from then on, in `window.drawnCards`. */
export async function countDrawnCards(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.drawnCards = [];
    const lastSeen = new Map<string, Fiber>();
    const visit = (fiber: Fiber): void => {
      const props = fiber.memoizedProps as { job?: { id: string }; onToggle?: unknown } | null;
      // Only a card of the history has both.
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
