import { Select } from "@base-ui/react/select";
import { useLayoutEffect, useState } from "react";
import { Check, ChevronsUpDown } from "lucide-react";
import { Icon } from "../page/icon.tsx";
import { popupClasses, popupItemClasses } from "./popup-classes.ts";
import { selectTriggerClasses, type SelectProps } from "../select-trigger.ts";

/**
 * Null in the first render, before paint: when the selected option disappears, the library would reselect its initial
 * value.
 */
function useLateValue(value: string | null): string | null {
  const [isMounted, setIsMounted] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- once, before the first paint
  useLayoutEffect(() => setIsMounted(true), []);
  return isMounted ? value : null;
}

export default function SelectPopup(props: SelectProps<string>) {
  const { label, options, placeholder, onChange, id, glyph } = props;
  const value = useLateValue(props.value);
  return (
    <Select.Root items={options} value={value} onValueChange={(next) => next !== null && onChange(next)}>
      <Select.Trigger id={id} aria-label={label} className={selectTriggerClasses(props)}>
        {glyph}
        <Select.Value placeholder={placeholder} className="truncate" />
        <Select.Icon>
          <Icon icon={ChevronsUpDown} size={14} className="shrink-0 text-ink-3" />
        </Select.Icon>
      </Select.Trigger>
      {/* a landmark, so that the open list belongs to a page region */}
      <Select.Portal render={<section aria-label={label} />}>
        <Select.Positioner alignItemWithTrigger={false} align="start" sideOffset={4} className="z-20">
          <Select.Popup className={popupClasses}>
            <Select.List className="max-h-(--available-height) overflow-auto">
              {options.map((option) => (
                <Select.Item key={option.value} value={option.value} className={popupItemClasses}>
                  <Select.ItemText className="min-w-0 flex-1 truncate">{option.label}</Select.ItemText>
                  <Select.ItemIndicator>
                    <Icon icon={Check} size={14} />
                  </Select.ItemIndicator>
                </Select.Item>
              ))}
            </Select.List>
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
  );
}
