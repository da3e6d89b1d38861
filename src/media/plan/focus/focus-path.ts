import { playedFrame } from "../speed.ts";
import type { Cut, FocusMove, FocusPath, FramePlan } from "../render-plan.ts";

type Range = Pick<Cut, "firstFrame" | "frames">;

/** Returns the plan for a range of playback frames at `speed`. Its path counts from the first of them. */
export function planWithin(plan: FramePlan, range: Range, speed = 1): FramePlan {
  const { framing } = plan;
  if (!framing?.path) return plan;
  return { ...plan, framing: { ...framing, path: pathWithin(playAt(framing.path, speed), range) } };
}

function playAt(path: FocusPath, speed: number): FocusPath {
  return path.map(({ fromFrame, toFrame, focus }) => {
    return { fromFrame: playedFrame(fromFrame, speed), toFrame: playedFrame(toFrame, speed), focus };
  });
}

function pathWithin(path: FocusPath, { firstFrame, frames }: Range): FocusMove[] {
  const next = path.findIndex(({ fromFrame }) => fromFrame > firstFrame);
  const current = Math.max(0, (next === -1 ? path.length : next) - 1);
  const { toFrame, focus } = path[current]!;
  const isMoving = current > 0 && toFrame > firstFrame;
  const before = isMoving ? path[current - 1]!.focus : focus;
  return [
    { fromFrame: 0, toFrame: 0, focus: before },
    ...path
      .slice(isMoving ? current : current + 1)
      .filter((move) => move.fromFrame < firstFrame + frames)
      .map(({ fromFrame, toFrame, focus }) => {
        return { fromFrame: fromFrame - firstFrame, toFrame: toFrame - firstFrame, focus };
      }),
  ];
}

export function focusAt(path: FocusPath, frame: number): number {
  const current = Math.max(
    0,
    path.findLastIndex(({ fromFrame }) => fromFrame <= frame),
  );
  const { fromFrame, toFrame, focus } = path[current]!;
  if (current === 0 || frame >= toFrame) return focus;
  const before = path[current - 1]!.focus;
  return before + ((focus - before) * (frame - fromFrame)) / (toFrame - fromFrame);
}

/** Returns an expression for ffmpeg's crop filter, in which `n` is the frame's number. */
export function focusExpression(path: FocusPath): string {
  const pieces = path.flatMap(({ fromFrame, toFrame, focus }, i) => {
    const hold = { from: toFrame, text: toText(focus) };
    if (i === 0 || toFrame === fromFrame) return [hold];
    const before = path[i - 1]!.focus;
    const slope = (focus - before) / (toFrame - fromFrame);
    const offset = before - slope * fromFrame;
    return [{ from: fromFrame, text: `${toText(offset)}+${toText(slope)}*n` }, hold];
  });
  // A tree, because a chain of hundreds of conditions would be nested as deeply.
  const choose = (from: number, to: number): string => {
    if (to - from === 1) return pieces[from]!.text;
    const middle = (from + to) >> 1;
    return `if(lt(n,${pieces[middle]!.from}),${choose(from, middle)},${choose(middle, to)})`;
  };
  return choose(0, pieces.length);
}

/** Exact to a tenth of a pixel in 8K, also of a slope over minutes. */
function toText(value: number): string {
  return String(Number(value.toPrecision(9)));
}
