import type { MouseEvent } from "react";

/** Wraps the click handler of a create action: ignores the second click of a double click. */
export function onSingleClick(act: () => void): (event: MouseEvent) => void {
  return ({ detail: clicks }) => {
    if (clicks < 2) act();
  };
}
