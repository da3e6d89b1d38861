import { useEffect, useState } from "react";
import { dismissToast, showToast, type ToastOptions } from "./toast-list.ts";

type Shown<Problem> = { id: number; problem: Problem };

/** Shows one error toast of a form. It goes when `isSolved`, with the next one, and with the form. */
export function useProblemToast<Problem extends Omit<ToastOptions, "variant" | "action">>(
  isSolved: (problem: Problem) => boolean,
): { show: (problem: Problem) => void; dismiss: () => void } {
  const [shown, setShown] = useState<Shown<Problem> | null>(null);
  const isGone = shown !== null && isSolved(shown.problem);
  if (isGone) setShown(null);
  const id = shown?.id;
  useEffect(() => (id === undefined ? undefined : () => dismissToast(id)), [id]);
  return {
    show: (problem) =>
      setShown({
        id: showToast({ title: problem.title, description: problem.description, variant: "destructive" }),
        problem,
      }),
    dismiss: () => setShown(null),
  };
}
