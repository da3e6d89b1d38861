import { type ChangeEvent, type ReactNode, useEffect, useRef } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { classNames } from "../../ui/class-names.ts";
import { Switch } from "../../ui/fields/switch.tsx";

/** In narrow containers, an enabled section's tools get their own row: picker, then buttons. */
const TOOLS_ROW =
  "@max-[600px]:order-last @max-[600px]:flex @max-[600px]:min-w-0 @max-[600px]:basis-full @max-[600px]:flex-wrap @max-[600px]:gap-2 " +
  "@max-[600px]:*:min-w-0 @max-[600px]:*:flex-1 @max-[600px]:*:border-line-strong @max-[600px]:*:bg-raised @max-[600px]:[&>[role=combobox]]:max-w-none @max-[600px]:[&>[role=combobox]]:basis-full";

export function ContentSection({
  title,
  isOn,
  registration,
  tools,
  dropZone,
  children,
}: {
  title: string;
  isOn: boolean;
  registration: UseFormRegisterReturn;
  /** Beside the switch, or below it in narrow containers. */
  tools?: ReactNode;
  dropZone?: { "data-drop": string };
  children: ReactNode;
}) {
  const content = useRef<HTMLDivElement>(null);
  const isClickedOn = useRef(false);
  // A click on the switch means typing next; keys keep their place, and on touch a focused field opens the keyboard.
  function handleChange(event: ChangeEvent<HTMLInputElement>) {
    const { nativeEvent, target } = event;
    isClickedOn.current = target.checked && "pointerType" in nativeEvent && nativeEvent.pointerType === "mouse";
    return registration.onChange(event);
  }
  useEffect(() => {
    if (!isOn || !isClickedOn.current) return;
    isClickedOn.current = false;
    const field = content.current?.querySelector<HTMLElement>("textarea, input[type=text]");
    if (field?.checkVisibility()) field.focus();
  }, [isOn]);
  return (
    <div
      {...dropZone}
      className="@container border-t border-line pt-2.5 pb-3 first-of-type:border-t-0 first-of-type:pt-0 last:pb-0"
    >
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="min-w-0 flex-1">{title}</h3>
        <div className={classNames("contents", isOn && TOOLS_ROW)}>{tools}</div>
        <div className="flex">
          <Switch {...registration} label={title} isLabelHidden onChange={(event) => void handleChange(event)} />
        </div>
      </div>
      {isOn && (
        <div ref={content} className="grid gap-3 pt-2">
          {children}
        </div>
      )}
    </div>
  );
}
