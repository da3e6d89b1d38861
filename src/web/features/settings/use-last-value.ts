import { useState } from "react";

/** Keeps the last non-null value for a dialog's closing animation. */
export function useLastValue<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}
