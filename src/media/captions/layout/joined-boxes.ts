/** In pixels. Each box starts where the one above ends. */
export type LineBox = { left: number; right: number; top: number; bottom: number };

export type Corner = { x: number; y: number; radius: number };

/** Returns the corners, clockwise from the upper left. Sides that differ by less than a rounded step become equal. */
export function joinBoxes(boxes: readonly LineBox[], radius: number): Corner[] {
  const even = evenOut(boxes, radius);
  const right = even.flatMap((box) => [
    { x: box.right, y: box.top },
    { x: box.right, y: box.bottom },
  ]);
  const left = even.toReversed().flatMap((box) => [
    { x: box.left, y: box.bottom },
    { x: box.left, y: box.top },
  ]);
  const corners = withoutFlat([...right, ...left]);
  return corners.map(({ x, y }, i) => {
    const before = corners.at(i - 1)!;
    const after = corners[(i + 1) % corners.length]!;
    const nearest = Math.min(Math.hypot(x - before.x, y - before.y), Math.hypot(x - after.x, y - after.y));
    return { x, y, radius: Math.min(radius, nearest / 2) };
  });
}

function evenOut(boxes: readonly LineBox[], radius: number): LineBox[] {
  const result = boxes.map((box) => ({ ...box }));
  // A change may bring a box close to its other neighbor: repeats once per box.
  for (let turn = 0; turn < boxes.length; turn++) {
    for (let i = 1; i < result.length; i++) {
      const [a, b] = [result[i - 1]!, result[i]!];
      if (Math.abs(a.right - b.right) >= 2 * radius) continue;
      a.left = b.left = Math.min(a.left, b.left);
      a.right = b.right = Math.max(a.right, b.right);
    }
  }
  return result;
}

function withoutFlat(points: { x: number; y: number }[]): { x: number; y: number }[] {
  return points.filter((point, i) => {
    const before = points.at(i - 1)!;
    const after = points[(i + 1) % points.length]!;
    return !(before.x === point.x && point.x === after.x) && !(before.x === point.x && before.y === point.y);
  });
}
