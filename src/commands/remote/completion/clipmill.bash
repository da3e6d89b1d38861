# Calls `clipmill complete -- <words>`. See completion-commands.ts for its output.
# bash splits words at = and :, also in the middle of a value. Version 3.2, of macOS, has no compopt.
_clipmill() {
  local words=() i word line kind
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((i > 1)) && [[ $word == [=:]* || ${COMP_WORDS[i - 1]} == *[=:] ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
  done
  local typed=${words[${#words[@]} - 1]} last=${COMP_WORDS[COMP_CWORD]}
  [[ $last == [=:] ]] && last=
  local before=${typed%"$last"}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files | :folders)
        kind=-f
        [[ $line == :folders ]] && kind=-d
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen $kind -- "$last")
        ;;
      *)
        word=${line%%$'\t'*}
        word=${word#"$before"}
        if [[ $word == *= ]]; then
          compopt -o nospace 2>/dev/null
          COMPREPLY+=("$word")
        else
          COMPREPLY+=("$(printf %q "$word")")
        fi
        ;;
    esac
  done < <(clipmill complete -- "${words[@]}" 2>/dev/null)
}
complete -F _clipmill clipmill
