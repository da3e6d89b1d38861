import { Suspense, useEffect } from "react";
import { clearLinkProblem, readLinkProblem } from "../api/connection/arrival.ts";
import { useSession } from "../api/connection/session.ts";
import { showToast } from "../ui/toasts/toast-list.ts";
import { lazyPart } from "../ui/page/lazy-part.ts";

const SignInPage = lazyPart(() => import("../features/sign-in/sign-in-page.tsx"));
const CodePage = lazyPart(() => import("../features/sign-in/code-page.tsx"));
const NewPasswordPage = lazyPart(() => import("../features/sign-in/new-password-page.tsx"));
const SignedInApp = lazyPart(() => import("./signed-in-app.tsx"));

/** Renders nothing until the session is known, so that nothing flashes. */
export function SessionGate() {
  return (
    <Suspense>
      <Screen />
    </Suspense>
  );
}

function Screen() {
  const session = useSession();
  const isSignedIn = session.status === "signed-in";
  useEffect(() => {
    const problem = isSignedIn ? readLinkProblem() : null;
    if (problem) showToast({ title: "Error", description: problem, variant: "destructive" });
    if (isSignedIn) clearLinkProblem();
  }, [isSignedIn]);
  switch (session.status) {
    case "unknown":
      return null;
    case "signed-out":
      return <SignInPage />;
    case "second-step":
      return <CodePage />;
    case "new-password":
      return <NewPasswordPage email={session.email} />;
    case "signed-in":
      return <SignedInApp key={session.userId} />;
  }
}
