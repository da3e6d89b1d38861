import { useEffect, useState } from "react";
import { clearLinkProblem, readLinkProblem } from "../../api/connection/arrival.ts";
import { PasswordForm } from "./password-form.tsx";
import { RecoverForm } from "./recover-form.tsx";
import { LogoFrame } from "../../ui/page/logo-frame.tsx";

/** `endedEmail`: whose session ended, if one did while this page was open. */
export default function SignInPage({ endedEmail }: { endedEmail: string | null }) {
  const [isRecovering, setIsRecovering] = useState(false);
  const [email, setEmail] = useState(endedEmail ?? "");
  // Shown until the user requests a new link or signs in.
  const [problem, setProblem] = useState(readLinkProblem);
  useEffect(() => clearLinkProblem, []);

  function recover(typedEmail: string) {
    setEmail(typedEmail);
    setProblem(null);
    setIsRecovering(true);
  }
  if (isRecovering) return <RecoverForm email={email} onBack={() => setIsRecovering(false)} />;
  return (
    <LogoFrame text={endedEmail === null ? undefined : "Your session has ended. Sign in to continue."}>
      <PasswordForm email={email} linkProblem={problem} onRecover={recover} />
    </LogoFrame>
  );
}
