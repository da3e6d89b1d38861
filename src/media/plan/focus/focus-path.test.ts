import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { FocusPath, FramePlan } from "../render-plan.ts";
import { focusAt, focusExpression, planWithin } from "./focus-path.ts";

const PLAN: FramePlan = {
  ...{ width: 1080, height: 1920, frameRate: { numerator: 30, denominator: 1 }, offsetSeconds: 0, keyframeFrames: 0 },
  framing: { fit: "crop", focusX: 0.5, focusY: 0.5 },
};

const paths = fc
  .array(fc.record({ hold: fc.integer({ min: 1, max: 50 }), move: fc.nat(12), focus: fc.nat(1_000) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((moves): FocusPath => {
    let at = 0;
    return moves.map(({ hold, move, focus }, i) => {
      const fromFrame = i === 0 ? 0 : at + hold;
      at = i === 0 ? 0 : fromFrame + move;
      return { fromFrame, toFrame: at, focus: focus / 1_000 };
    });
  });

/** As ffmpeg does. */
function evaluate(expression: string, n: number): number {
  const condition = /^if\(lt\(n,(-?\d+)\),/.exec(expression);
  if (!condition) {
    const [offset, slope = "0"] = expression.replace("*n", "").split(/(?<!e)\+/);
    return Number(offset) + Number(slope) * n;
  }
  let depth = 0;
  const body = expression.slice(condition[0].length, -1);
  const comma = Array.from(body).findIndex((character) => {
    depth += character === "(" ? 1 : character === ")" ? -1 : 0;
    return depth === 0 && character === ",";
  });
  return evaluate(n < Number(condition[1]) ? body.slice(0, comma) : body.slice(comma + 1), n);
}

test("the expression is where the path is, also within any range of frames", () => {
  fc.assert(
    fc.property(paths, fc.nat(2_000), fc.integer({ min: 1, max: 600 }), (path, firstFrame, frames) => {
      const plan = planWithin({ ...PLAN, framing: { ...PLAN.framing!, path } }, { firstFrame, frames });
      const part = plan.framing!.path!;
      const expression = focusExpression(part);
      for (let frame = 0; frame < frames; frame += 7) {
        expect(focusAt(part, frame)).toBeCloseTo(focusAt(path, firstFrame + frame), 9);
        expect(evaluate(expression, frame)).toBeCloseTo(focusAt(path, firstFrame + frame), 5);
      }
    }),
  );
});

test("a range without moves has one place", () => {
  const path = [
    { fromFrame: 0, toFrame: 0, focus: 0.1 },
    { fromFrame: 100, toFrame: 110, focus: 0.6 },
  ];
  const within = (firstFrame: number, frames: number) =>
    planWithin({ ...PLAN, framing: { ...PLAN.framing!, path } }, { firstFrame, frames }).framing!.path;
  expect(within(0, 100)).toEqual([{ fromFrame: 0, toFrame: 0, focus: 0.1 }]);
  expect(within(110, 50)).toEqual([{ fromFrame: 0, toFrame: 0, focus: 0.6 }]);
  expect(within(105, 50)).toHaveLength(2);
});

test.each([
  // The first playback frame that shows frame 10 of the source, or a later one.
  [2, 5],
  [0.5, 20],
  [1.5, 7],
  [1, 10],
])("a path jumps with the source at a speed of %s", (speed, frame) => {
  const path: FocusPath = [
    { fromFrame: 0, toFrame: 0, focus: 0.2 },
    { fromFrame: 10, toFrame: 10, focus: 0.9 },
  ];
  const plan = { ...PLAN, framing: { ...PLAN.framing!, path } };
  const shown = planWithin(plan, { firstFrame: 0, frames: 40 }, speed).framing!.path!;
  expect([focusAt(shown, frame - 1), focusAt(shown, frame)]).toEqual([0.2, 0.9]);
});
