import { useSession } from "../../api/connection/session.ts";
import { CaptionLabScreen } from "./caption-lab-screen.tsx";

export function CaptionLabPage() {
  const session = useSession();
  return session.status === "signed-in" && <CaptionLabScreen key={session.userId} owner={session.userId} />;
}
