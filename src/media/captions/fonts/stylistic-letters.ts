/** Stylistic Latin letters beyond those that Unicode decomposes (NFKC). */

const SMALL_CAPITALS = fold("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "ABCDEFGHIJKLMNOPQRSTUVWYZ");
/** White letters on black discs and squares. */
const ENCLOSED = new Map([
  ...fold(range(0x1_f1_50, 26), "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
  ...fold(range(0x1_f1_70, 26), "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
]);
/** Phonetic letters with hooks and tildes, and others used in decorated texts. */
const DECORATED = new Map([
  ...fold("ᶀᶁᶂᶃᶄᶅᶆᶇᶈᶉᶊᶌᶍᶎᶏᶑᶒᶖᶙ", "bdfgklmnprsvxzadeiu"),
  ...fold("ᵬᵭᵮᵯᵰᵱᵲᵴᵵᵶᵽ", "bdfmnprstzp"),
  ...fold("ⱠⱡⱢⱣⱤⱥⱦⱧⱨⱩⱪⱫⱬⱮⱱⱲⱳ", "LlLPRatHhKkZzMvWw"),
  ...fold("ꝀꝁꝂꝃꝄꝅꝈꝉꝊꝋꝌꝍꝐꝑꝒꝓꝖꝗꝘꝙꝞꝟ", "KkKkKkLlOoOoPpPpQqQqVv"),
  ...fold("ɕʑɽᴉᵷ", "czrig"),
]);
const DECORATION = /[\u0305\u0332-\u0338\u033F\u20D0-\u20F0]/gu;

const KINDS = [SMALL_CAPITALS, ENCLOSED, DECORATED];

/**
 * Replaces stylistic letters that cannot be drawn, together with all others of their kind, so that no word mixes both.
 * Words in small capitals become capitals.
 */
export function makePlain(text: string, canDraw: (character: string) => boolean): string {
  let plain = text.replaceAll(DECORATION, (mark) => (canDraw(mark) ? mark : ""));
  for (const kind of KINDS) {
    if (!Array.from(plain).some((character) => kind.has(character) && !canDraw(character))) continue;
    plain = plain.replaceAll(/\S+/gu, (word) => {
      const characters = Array.from(word);
      if (!characters.some((character) => kind.has(character))) return word;
      const replaced = characters.map((character) => kind.get(character) ?? character).join("");
      // Small capitals have no x: a plain x stands for it.
      return kind === SMALL_CAPITALS ? replaced.toUpperCase() : replaced;
    });
  }
  return plain;
}

function fold(from: string, to: string): Map<string, string> {
  const plain = Array.from(to);
  return new Map(Array.from(from, (letter, i) => [letter, plain[i]!]));
}

function range(first: number, count: number): string {
  return String.fromCodePoint(...Array.from({ length: count }, (_, i) => first + i));
}
