import { useEffect, useRef, useState } from "react";
import { dismissToast, showToast, type ToastOptions } from "./toast-list.ts";

const toast = { show: showToast };

/** Stable between renders. */
export function useToast(): typeof toast {
  return toast;
}

type Shown<Problem> = { id: number; problem: Problem };

/** Shows error toasts of a form. Each goes when `isSolved`, and with the form. */
export function useProblemToast<Problem extends Omit<ToastOptions, "variant" | "action">>(
  isSolved: (problem: Problem) => boolean,
): { show: (problem: Problem) => void; dismiss: () => void } {
  const [shown, setShown] = useState<readonly Shown<Problem>[]>([]);
  const open = shown.filter(({ problem }) => !isSolved(problem));
  if (open.length < shown.length) setShown(open);
  const before = useRef(shown);
  useEffect(() => {
    for (const toast of before.current) if (!shown.includes(toast)) dismissToast(toast.id);
    before.current = shown;
  }, [shown]);
  useEffect(
    () => () => {
      for (const { id } of before.current) dismissToast(id);
    },
    [],
  );
  return {
    show(problem) {
      const { title, description } = problem;
      const id = showToast({ title, description, variant: "destructive" });
      setShown((others) => [...others, { id, problem }]);
    },
    dismiss: () => setShown([]),
  };
}
