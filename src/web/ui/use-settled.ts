import { useEffect, useState } from "react";

const SETTLED_MS = 500;

/** Debounces, comparing as JSON. Returns the first value immediately. */
export function useSettled<Value>(value: Value, debounceMs = SETTLED_MS): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text, debounceMs]);
  return JSON.parse(settled) as Value;
}
