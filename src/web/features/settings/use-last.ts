import { useState } from "react";

/** Returns the value, or the last non-null one, so that a dialog keeps its content during the closing animation. */
export function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}
