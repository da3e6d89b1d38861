import { lazy, Suspense } from "react";
import { useSession } from "../api/session.ts";

const SignInPage = lazy(() => import("../features/sign-in/sign-in-page.tsx"));
const SignedInApp = lazy(() => import("./signed-in-app.tsx"));

/** The sign-in form, or the app. Nothing at all until it is known which, so that neither flashes. */
export function SessionGate() {
  const session = useSession();
  if (session.status === "unknown") return null;
  return <Suspense>{session.status === "signed-in" ? <SignedInApp key={session.userId} /> : <SignInPage />}</Suspense>;
}
