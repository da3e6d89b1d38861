/** In pixels from the screen's top left corner. */
export type Box = { left: number; top: number; right: number; bottom: number };

/** In pixels from the screen's right and bottom edges. */
export type ToastPlace = { right: number; bottom: number };

/** Between the stack and the boxes it avoids. */
const GAP_PX = 12;

/**
 * Returns the free place nearest to the lower right corner: the corner, above a box, or left of one. Falls back to the
 * corner.
 */
export function placeToasts({
  screen,
  stack,
  edge,
  taken,
}: {
  screen: { width: number; height: number };
  stack: { width: number; height: number };
  /** Distance from the screen's edges, in pixels. */
  edge: number;
  taken: readonly Box[];
}): ToastPlace {
  const corner = { right: edge, bottom: edge };
  const rights = [edge, ...taken.map(({ left }) => screen.width - left + GAP_PX)];
  const bottoms = [edge, ...taken.map(({ top }) => screen.height - top + GAP_PX)];
  const free = rights
    .flatMap((right) => bottoms.map((bottom) => ({ right, bottom })))
    .filter(({ right, bottom }) => right >= edge && bottom >= edge)
    .filter((place) => {
      const box = boxOf(place, screen, stack);
      return box.left >= 0 && box.top >= 0 && !taken.some((other) => overlap(box, other));
    })
    .toSorted((a, b) => a.right + a.bottom - (b.right + b.bottom));
  return free[0] ?? corner;
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
