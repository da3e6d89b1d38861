import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Icon } from "../../../ui/page/icon.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { verdictLook } from "../verdicts/verdict-label.tsx";

const TILE_PX = 42;
const SPARE_TILES = 12;

/** Renders only thumbnails near the viewport. */
export function Filmstrip({
  list,
  currentId,
  onChoose,
}: {
  list: readonly JobOutput[];
  currentId: string;
  onChoose: (id: string) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- no React Compiler here
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: list.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => TILE_PX,
    getItemKey: (index) => list[index]?.id ?? index,
    overscan: SPARE_TILES,
  });
  const at = list.findIndex(({ id }) => id === currentId);
  useEffect(() => {
    if (at !== -1) virtualizer.scrollToIndex(at, { align: "center" });
  }, [virtualizer, at]);
  return (
    <div ref={scroller} className="overflow-x-auto border-t border-line px-3 py-2">
      <ul aria-label="Files in this list" className="relative h-16" style={{ width: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const output = list[index];
          return (
            output && (
              <li
                key={key}
                aria-setsize={list.length}
                aria-posinset={index + 1}
                className="absolute top-0 w-9"
                style={{ left: start }}
              >
                <Tile output={output} isCurrent={output.id === currentId} onChoose={onChoose} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

function Tile({
  output,
  isCurrent,
  onChoose,
}: {
  output: JobOutput;
  isCurrent: boolean;
  onChoose: (id: string) => void;
}) {
  const { label, icon, ink } = verdictLook(output.verdict);
  return (
    <button
      type="button"
      aria-label={`${output.name}, ${label}`}
      aria-current={isCurrent || undefined}
      tabIndex={isCurrent ? 0 : -1}
      className={classNames(
        "relative block h-16 w-9 overflow-hidden rounded-1 bg-screen",
        isCurrent && "outline-2 outline-offset-1 outline-ink",
      )}
      onClick={() => onChoose(output.id)}
      {...tooltip(output.name)}
    >
      {output.thumbnail_url && (
        <img src={output.thumbnail_url} alt="" loading="lazy" decoding="async" className="size-full object-cover" />
      )}
      {output.verdict && (
        <span
          data-theme="dark"
          className={classNames(
            "absolute bottom-0.5 left-0.5 grid size-4 place-items-center rounded-[2px] bg-[#000000b8]",
            ink,
          )}
        >
          <Icon icon={icon} size={12} />
        </span>
      )}
    </button>
  );
}
