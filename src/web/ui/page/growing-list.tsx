import { type ReactNode, useEffect, useRef, useState } from "react";

const STEP = 300;
const NEAR_PX = 2_000;

/** Rendering thousands of items at once takes seconds. */
export function GrowingList<Item>({
  items,
  children,
}: {
  items: readonly Item[];
  children: (item: Item) => ReactNode;
}) {
  const [count, setCount] = useState(STEP);
  const end = useRef<HTMLDivElement>(null);
  const isWhole = count >= items.length;
  useEffect(() => {
    if (!end.current || isWhole) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setCount(count + STEP);
      },
      { scrollMargin: `0px 0px ${NEAR_PX}px 0px` },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
    // Observe again after each step: the end may still be near.
  }, [count, isWhole]);
  return (
    <>
      {items.slice(0, count).map(children)}
      <div ref={end} aria-hidden />
    </>
  );
}
