import { Skeleton } from "../../ui/states/skeleton.tsx";
import { SettingsSection } from "./settings-section.tsx";

export function SettingsSkeleton() {
  return (
    <div aria-busy>
      {["API Keys", "Default Processing Options"].map((title) => (
        <SettingsSection key={title} title={title}>
          {[0, 1].map((row) => (
            <div key={row} className="grid gap-2">
              <Skeleton className="h-4 w-40" />
              <Skeleton className="h-8 w-full max-desk:h-11" />
            </div>
          ))}
        </SettingsSection>
      ))}
    </div>
  );
}
