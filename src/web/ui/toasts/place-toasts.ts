/** In pixels from the screen's top left corner. */
export type Box = { left: number; top: number; right: number; bottom: number };

/** In pixels from the screen's right and bottom edges. */
export type ToastPlace = { right: number; bottom: number };

/** Between the stack and the boxes it avoids. */
const GAP_PX = 12;

/**
 * Returns the free place nearest to the lower right corner: the corner, above a box, or left of one. Without a place
 * clear of all `controls`, avoids only the `taken` boxes; falls back to the corner.
 */
export function placeToasts({
  screen,
  stack,
  edge,
  taken,
  controls = [],
}: {
  screen: { width: number; height: number };
  stack: { width: number; height: number };
  /** Distance from the screen's edges, in pixels. */
  edge: number;
  taken: readonly Box[];
  controls?: readonly Box[];
}): ToastPlace {
  const isShown = (box: Box) => box.right > 0 && box.bottom > 0 && box.left < screen.width && box.top < screen.height;
  const shown = [...taken, ...controls].filter(isShown);
  const areas = shown.length <= MAX_BOXES ? [shown, taken] : [taken];
  for (const boxes of areas) {
    const place = findFree(boxes, { screen, stack, edge });
    if (place) return place;
  }
  return { right: edge, bottom: edge };
}

/** More boxes take too long to compare. */
const MAX_BOXES = 150;

function findFree(
  boxes: readonly Box[],
  { screen, stack, edge }: Pick<Parameters<typeof placeToasts>[0], "screen" | "stack" | "edge">,
): ToastPlace | undefined {
  const rights = [edge, ...boxes.map(({ left }) => screen.width - left + GAP_PX)].filter((right) => right >= edge);
  const bottoms = [edge, ...boxes.map(({ top }) => screen.height - top + GAP_PX)].filter((bottom) => bottom >= edge);
  return rights
    .flatMap((right) => bottoms.map((bottom) => ({ right, bottom })))
    .toSorted((a, b) => a.right + a.bottom - (b.right + b.bottom))
    .find((place) => {
      const box = boxOf(place, screen, stack);
      return box.left >= 0 && box.top >= 0 && !boxes.some((other) => overlap(box, other));
    });
}

function boxOf(
  { right, bottom }: ToastPlace,
  screen: { width: number; height: number },
  stack: { width: number; height: number },
): Box {
  const box = { right: screen.width - right, bottom: screen.height - bottom };
  return { ...box, left: box.right - stack.width, top: box.bottom - stack.height };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
