import { History } from "lucide-react";
import { Suspense, useState } from "react";
import { Button } from "../../../ui/buttons/button.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { lazyPart } from "../../../ui/page/lazy-part.ts";

const AuditTable = lazyPart(() => import("./audit-table.tsx"));

export function AuditSection() {
  const [isShown, setIsShown] = useState(false);
  return (
    <SettingsSection hash="audit-log" text="Who changed what, and when. Kept for 180 days.">
      {isShown ? (
        <Suspense>
          <AuditTable />
        </Suspense>
      ) : (
        <div>
          <Button icon={History} onClick={() => setIsShown(true)}>
            Show audit log
          </Button>
        </div>
      )}
    </SettingsSection>
  );
}
