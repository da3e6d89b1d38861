import { useState, type SubmitEvent } from "react";
import type { AuthFailure } from "../../api/connection/auth-failure.ts";
import { formText } from "../../ui/fields/field.tsx";

/** Sends one request at a time. */
export function useSubmit(send: (fields: (name: string) => string) => Promise<AuthFailure | null>) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<AuthFailure | null>(null);

  async function submit(form: FormData) {
    setIsBusy(true);
    setFailure(null);
    setFailure(await send((name) => formText(form, name)));
    setIsBusy(false);
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!isBusy) void submit(new FormData(event.currentTarget));
  }
  return { isBusy, failure, handleSubmit };
}
