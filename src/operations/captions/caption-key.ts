const EMOJI = /[0-9#*]\uFE0F?\u20E3|\p{Extended_Pictographic}|\p{Regional_Indicator}/gu;
const NEITHER_LETTER_NOR_NUMBER = /[^\p{L}\p{N}\p{Mn}\p{Mc}]|[\uFE00-\uFE0F]/gu;

/** Equal for captions that differ only in case, spaces, punctuation or emoji; "" for one that has nothing else. */
export function captionKey(caption: string): string {
  // Emoji go first: compatibility would turn some of them into letters.
  const letters = caption.replace(EMOJI, "").normalize("NFKC").replace(NEITHER_LETTER_NOR_NUMBER, "");
  // Through upper case: "straße" is "STRASSE" there, and one letter may have two small forms.
  return letters.toUpperCase().toLowerCase().normalize("NFKC");
}
