import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { SavedSet, SetDraft } from "../api/set-tables.ts";
import { cutText } from "../jobs/row/cut-text.ts";
import { useToast } from "../ui/toasts/use-toast.ts";
import { saveSet, type SavedAs } from "./editor/set-form.ts";
import type { SetKind } from "./set-kind.ts";

const TOAST_NAME_CHARACTERS = 60;

function keyOf(kind: SetKind): string[] {
  return ["sets", kind.path];
}

/** Refetches on focus: other users change sets too. */
export function useSets(kind: SetKind) {
  const toast = useToast();
  const query = useQuery({
    queryKey: keyOf(kind),
    queryFn: ({ signal }) => kind.table.list(signal),
    refetchOnWindowFocus: "always",
  });
  const { error } = query;
  const { failedToLoad } = kind.texts;
  useEffect(() => {
    if (error) toast.show({ title: "Error", description: failedToLoad, variant: "destructive" });
  }, [error, failedToLoad, toast]);
  return query;
}

type SaveInput = { opened: SavedSet | null; draft: SetDraft };

export function useSaveSet(kind: SetKind, onSaved: () => void) {
  const client = useQueryClient();
  const toast = useToast();
  const isSent = useRef(false);
  const [isSaved, setIsSaved] = useState(false);
  const mutation = useMutation({
    mutationFn: ({ opened, draft }: SaveInput) => {
      const known = client.getQueryData<SavedSet[]>(keyOf(kind));
      const last = opened && (known ? (known.find(({ id }) => id === opened.id) ?? null) : opened);
      return saveSet(kind.table, last, draft);
    },
    onSuccess: (saved: SavedAs) => {
      // Before the list changes, so that the form does not take its own save for someone else's.
      setIsSaved(hasSaved(saved));
      changeList(saved.id, saved.kind === "gone" ? null : saved.set);
      isSent.current = hasSaved(saved);
      if (hasSaved(saved)) {
        const isNew = saved.kind === "created";
        const name = cutText(saved.set.name, TOAST_NAME_CHARACTERS);
        toast.show({
          title: isNew ? kind.texts.created : kind.texts.updated,
          description: isNew ? `"${name}" is ready to use in jobs.` : `"${name}" was saved.`,
          variant: "success",
        });
        onSaved();
      }
      // Other screens count and offer sets.
      void client.invalidateQueries();
    },
    onError: (_error, { opened }) => {
      isSent.current = false;
      const { failedToCreate, failedToUpdate } = kind.texts;
      toast.show({ title: "Error", description: opened ? failedToUpdate : failedToCreate, variant: "destructive" });
    },
  });

  /** Sends once: a second click may precede the next render, a third follow the response. */
  function save(input: SaveInput) {
    if (isSent.current) return;
    isSent.current = true;
    mutation.mutate(input);
  }
  function changeList(id: string, set: SavedSet | null) {
    client.setQueryData<SavedSet[]>(keyOf(kind), (sets) => sets && placeSet(sets, id, set));
  }
  const { error, isPending } = mutation;
  return { save, isPending, isSaved, error };
}

function hasSaved(result: SavedAs): result is Extract<SavedAs, { kind: "created" | "updated" }> {
  return result.kind === "created" || result.kind === "updated";
}

/** Reports the result in a toast. Sends once; only a failure allows another try. */
export function useDeleteSet(kind: SetKind, onDeleted: () => void) {
  const client = useQueryClient();
  const toast = useToast();
  const isSent = useRef(false);
  const mutation = useMutation({
    mutationFn: (set: SavedSet) => kind.table.remove(set.id),
    onSuccess: (_response, { id, name }) => {
      client.setQueryData<SavedSet[]>(keyOf(kind), (sets) => sets && placeSet(sets, id, null));
      const description = `"${cutText(name, TOAST_NAME_CHARACTERS)}" was deleted.`;
      toast.show({ title: kind.texts.deleted, description, variant: "success" });
      onDeleted();
      void client.invalidateQueries();
    },
    onError: () => {
      isSent.current = false;
      toast.show({ title: "Error", description: kind.texts.failedToDelete, variant: "destructive" });
    },
  });
  function remove(set: SavedSet) {
    if (isSent.current) return;
    isSent.current = true;
    mutation.mutate(set);
  }
  return { remove, isPending: mutation.isPending };
}

function placeSet(sets: SavedSet[], id: string, set: SavedSet | null): SavedSet[] {
  if (!set) return sets.filter((known) => known.id !== id);
  return sets.some((known) => known.id === id) ? sets.map((known) => (known.id === id ? set : known)) : [set, ...sets];
}
