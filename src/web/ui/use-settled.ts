import { useEffect, useState } from "react";

const SETTLED_MS = 500;

/** Returns a value, compared as JSON, once it has stayed the same for half a second; the first one at once. */
export function useSettled<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as Value;
}
