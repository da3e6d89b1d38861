import { Popover } from "@base-ui/react/popover";
import { ChipText, chipClasses, type PopoverProps } from "./popover.tsx";
import { popupClasses } from "./popup-classes.ts";

export default function PopoverPopup({ label, summary, children }: PopoverProps) {
  return (
    <Popover.Root
      onOpenChange={(isOpen, details) => {
        const { event } = details;
        const to = event instanceof FocusEvent ? event.relatedTarget : event.target;
        if (!isOpen && to instanceof Element && to.closest("[data-keeps-popover]")) details.cancel();
      }}
    >
      <Popover.Trigger className={chipClasses}>
        <ChipText label={label} summary={summary} />
      </Popover.Trigger>
      {/* a landmark, so that the open popover belongs to a page region */}
      <Popover.Portal render={<section aria-label={label} />}>
        <Popover.Positioner
          positionMethod="fixed"
          align="start"
          sideOffset={6}
          collisionPadding={12}
          // At its side, it would cover the preview.
          collisionAvoidance={{ fallbackAxisSide: "none" }}
          className="z-20"
        >
          <Popover.Popup
            aria-label={label}
            className={`${popupClasses} grid max-h-(--available-height) w-[min(480px,calc(100vw-24px))] gap-4 overflow-auto p-4!`}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
