import { showToast } from "./toast-list.ts";

const toast = { show: showToast };

/** Shows messages at the bottom right: `useToast().show({ title, description, variant })`. Stable between renders. */
export function useToast(): typeof toast {
  return toast;
}
