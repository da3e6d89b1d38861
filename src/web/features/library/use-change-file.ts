import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { LibraryResponse } from "#contract/calls.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { changeLibraryFile } from "../../api/functions/library.ts";
import { libraryKey } from "../../sources/use-library.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";

type Change = { id: string; changes: Parameters<typeof changeLibraryFile>[1] };

export function useChangeFile(onDone: () => void) {
  const toast = useToast();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, changes }: Change) => changeLibraryFile(id, changes),
    onSuccess: (changed) => {
      client.setQueryData<LibraryResponse>(
        libraryKey,
        (library) =>
          library && { ...library, data: library.data.map((file) => (file.id === changed.id ? changed : file)) },
      );
      onDone();
    },
    onError: (error) => {
      const description = error instanceof CallError ? error.message : "Couldn't save the change. Try again.";
      toast.show({ title: "File Not Changed", description, variant: "destructive" });
      void client.invalidateQueries({ queryKey: libraryKey });
    },
  });
}
