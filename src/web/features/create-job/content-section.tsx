import type { ReactNode } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Switch } from "../../ui/switch.tsx";

/** One thing that may go into the outputs: its switch, and while that is on, what it needs. */
export function ContentSection({
  title,
  isOn,
  registration,
  tools,
  children,
}: {
  title: string;
  isOn: boolean;
  /** What `register` gave for the switch. */
  registration: UseFormRegisterReturn;
  /** Beside the switch while it is on. */
  tools?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="border-t border-line pt-2.5 pb-3 first-of-type:border-t-0 first-of-type:pt-0 last:pb-0">
      <div className="flex min-h-8 items-center gap-3">
        <h3 className="min-w-0 flex-1">{title}</h3>
        {isOn && tools}
        <Switch {...registration} label={title} isLabelHidden />
      </div>
      {isOn && <div className="grid gap-3 pt-2">{children}</div>}
    </div>
  );
}
