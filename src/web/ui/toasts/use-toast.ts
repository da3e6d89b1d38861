import { showToast } from "./toast-list.ts";

const toast = { show: showToast };

/** Stable between renders. */
export function useToast(): typeof toast {
  return toast;
}
