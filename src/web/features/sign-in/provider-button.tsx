import { useEffect, useState } from "react";
import { signInAtProvider } from "../../api/connection/session.ts";
import { Button } from "../../ui/buttons/button.tsx";

/** Opens the identity provider's page. `isOnly` means without a password form above. */
export function ProviderButton({ name, isOnly }: { name: string; isOnly: boolean }) {
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    // Back, from the provider's page, restores this one as it was.
    const reset = () => setIsBusy(false);
    addEventListener("pageshow", reset);
    return () => removeEventListener("pageshow", reset);
  }, []);
  return (
    <div className={isOnly ? undefined : "border-t border-line pt-4"}>
      <Button
        look={isOnly ? "primary" : "neutral"}
        size="lg"
        isWide
        isBusy={isBusy}
        onClick={() => {
          setIsBusy(true);
          signInAtProvider();
        }}
      >
        <span className="truncate">Sign in with {name}</span>
      </Button>
    </div>
  );
}
