import { createContext, useContext } from "react";
import { jobUploads, type UploadStore } from "./use-uploads.ts";

/** The uploads whose links the form receives. */
export const FormUploads = createContext<UploadStore>(jobUploads);

export function useFormUploads(): UploadStore {
  return useContext(FormUploads);
}
