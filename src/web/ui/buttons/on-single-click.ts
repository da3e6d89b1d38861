import type { MouseEvent } from "react";

/** Ignores the second click of a double click, for actions that create something. */
export function onSingleClick(act: () => void): (event: MouseEvent) => void {
  return ({ detail: clicks }) => {
    if (clicks < 2) act();
  };
}
