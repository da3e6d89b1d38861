import { showToast } from "./toast-list.ts";

const toast = { show: showToast };

/** `useToast().show({ title, description, variant })`; stable between renders. */
export function useToast(): typeof toast {
  return toast;
}
