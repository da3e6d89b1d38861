import { useVirtualizer } from "@tanstack/react-virtual";
import { Check, Copy } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { formatCount } from "../../jobs/row/pluralize.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import type { ItemLook } from "../set-kind.ts";

const USUAL_ROW_PX = 36;
const ROWS_AROUND = 8;

/** Virtualized: a set holds up to 10,000 items. */
export function ItemList({
  items,
  scroller,
  copied,
  shown,
  nameItem,
  itemTools,
  onCopy,
  onShow,
}: ItemLook & {
  items: readonly { text: string; number: number }[];
  scroller: HTMLElement | null;
  copied: string | null;
  /** Number of the item in the preview. */
  shown: number | null;
  onCopy: (text: string) => void;
  onShow?: ((number: number) => void) | undefined;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    if (list.current && scroller) setOffset(list.current.offsetTop - scroller.offsetTop);
  }, [scroller]);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: () => USUAL_ROW_PX,
    overscan: ROWS_AROUND,
    scrollMargin: offset,
    getItemKey: (index) => items[index]!.number,
  });
  return (
    <ul ref={list} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const { text, number } = items[index]!;
        const name = nameItem(text);
        return (
          <li
            key={number}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0 flex items-start gap-3 border-t border-line py-2"
            style={{ transform: `translateY(${start - offset}px)` }}
          >
            <span className="tnum min-w-5 shrink-0 text-right text-12 leading-5 text-ink-3">{formatCount(number)}</span>
            <div dir="auto" className="raw min-w-0 flex-1 text-left wrap-anywhere whitespace-pre-wrap">
              {onShow ? (
                <button
                  type="button"
                  aria-pressed={number === shown}
                  className="w-full rounded-1 text-left text-ink whitespace-pre-wrap hover:underline aria-pressed:font-medium max-desk:-my-3 max-desk:py-3"
                  onClick={() => onShow(number)}
                >
                  {name}
                </button>
              ) : (
                <p className="text-ink">{name}</p>
              )}
              {name !== text && <p className="text-12 text-ink-3">{text}</p>}
            </div>
            {itemTools && <div className="-my-1 max-desk:-my-2.5">{itemTools(text)}</div>}
            <IconButton
              icon={copied === text ? Check : Copy}
              label={copied === text ? "Copied!" : "Copy"}
              className="-my-1 -mr-1.5 max-desk:-my-2.5 max-desk:-mr-3"
              onClick={() => onCopy(text)}
            />
          </li>
        );
      })}
    </ul>
  );
}
