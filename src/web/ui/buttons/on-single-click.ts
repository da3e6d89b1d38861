import type { MouseEvent } from "react";

/** A click handler for acts that make something new: the second click of a double click does nothing. */
export function onSingleClick(act: () => void): (event: MouseEvent) => void {
  return ({ detail: clicks }) => {
    if (clicks < 2) act();
  };
}
