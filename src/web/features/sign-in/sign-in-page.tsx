import { useEffect, useState } from "react";
import { clearLinkProblem, readLinkProblem } from "../../api/connection/arrival.ts";
import { PasswordForm } from "./password-form.tsx";
import { RecoverForm } from "./recover-form.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

export default function SignInPage() {
  const [isRecovering, setIsRecovering] = useState(false);
  const [email, setEmail] = useState("");
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
    <SignInFrame>
      <PasswordForm email={email} linkProblem={problem} onRecover={recover} />
    </SignInFrame>
  );
}
