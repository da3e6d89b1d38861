export const popupClasses =
  "z-20 min-w-(--anchor-width) rounded-3 border border-line-strong bg-overlay p-1 shadow-pop outline-none transition duration-(--d-2) ease-move " +
  "data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0";

export const popupItemClasses =
  "flex h-[30px] w-full cursor-pointer items-center gap-2.5 rounded-2 px-2 text-left font-medium whitespace-nowrap text-ink-2 outline-none select-none " +
  "data-disabled:cursor-not-allowed data-disabled:text-ink-off data-highlighted:bg-raised-2 data-highlighted:text-ink max-desk:h-11";
