import { TriangleAlert } from "lucide-react";
import { Fragment } from "react";
import type { EnvironmentCheck } from "#contract/cloak/cloak.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Icon } from "../../../ui/page/icon.tsx";

export function EnvironmentAlert({
  check: { missing, wrongUrl, expectedUrl, error },
  isChecking,
  onCheck,
}: {
  check: EnvironmentCheck;
  isChecking: boolean;
  onCheck: () => void;
}) {
  return (
    <div
      role="alert"
      className="mx-6 mb-4 grid grid-cols-[16px_minmax(0,1fr)_auto] gap-x-3 rounded-2 bg-warning-tint px-4 py-3 max-desk:mx-4 max-desk:grid-cols-[16px_minmax(0,1fr)]"
    >
      <Icon icon={TriangleAlert} className="mt-0.5 text-warning" />
      <div className="wrap-anywhere">
        {missing.length > 0 && (
          <p>
            <b>Missing environment variables:</b>{" "}
            {missing.map((name, index) => (
              <Fragment key={name}>
                {index > 0 && ", "}
                <code className="font-mono text-12 text-ink">{name}</code>
              </Fragment>
            ))}
          </p>
        )}
        {wrongUrl && (
          <p>
            <b>The sync URL is wrong.</b> <code className="font-mono text-12 text-ink">VPS_SYNC_URL</code> is expected
            to be <code className="font-mono text-12 text-ink">{expectedUrl}</code>
          </p>
        )}
        {error && <p>{error}</p>}
        <p>Set them in the server environment. The publish token must match the one stored on the VPS.</p>
      </div>
      <Button
        size="sm"
        isBusy={isChecking}
        className="max-desk:col-start-2 max-desk:mt-2 max-desk:w-fit"
        onClick={onCheck}
      >
        Check again
      </Button>
    </div>
  );
}
