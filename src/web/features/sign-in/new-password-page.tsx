import { PASSWORD_LIMITS } from "#contract/account.ts";
import { setNewPassword, signOut } from "../../api/connection/session.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { showToast } from "../../ui/toasts/toast-list.ts";
import { SignInError, TextButton } from "./sign-in-parts.tsx";
import { LogoFrame } from "../../ui/page/logo-frame.tsx";
import { useSubmit } from "./use-submit.ts";

/** Opened by a recovery link. Afterward, the session gate opens the app. */
export default function NewPasswordPage({ email }: { email: string }) {
  const { isBusy, failure, handleSubmit } = useSubmit(async (field) => {
    const problem = await setNewPassword(field("password"));
    if (!problem) {
      showToast({
        title: "Password Changed",
        description: "Your password has been changed. Other browsers were signed out.",
        variant: "success",
      });
    }
    // The link's session can set a password only for a limited time.
    if (problem?.code === "reauthentication_needed") {
      return { ...problem, message: "This link has expired. Go back and request a new one." };
    }
    return problem;
  });
  return (
    <LogoFrame title="Set a new password" text={`For ${email}`}>
      <form className="grid gap-4" onSubmit={handleSubmit}>
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${PASSWORD_LIMITS.shortest} characters`}
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has only this form
          autoFocus
        />
        {failure && <SignInError text={failure.message} />}
        <Button type="submit" look="primary" size="lg" isWide isBusy={isBusy}>
          {isBusy ? "Saving..." : "Set password"}
        </Button>
      </form>
      <TextButton onClick={() => void signOut()}>Back to sign in</TextButton>
    </LogoFrame>
  );
}
