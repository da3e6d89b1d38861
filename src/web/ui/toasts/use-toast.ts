import { showToast } from "./toast-list.ts";

const toast = { show: showToast };

/** Returns the toasts' API, stable between renders: `useToast().show({ title, description, variant })`. */
export function useToast(): typeof toast {
  return toast;
}
