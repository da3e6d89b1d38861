#compdef clipmill
# Calls `clipmill complete -- <words>`. See completion-commands.ts for its output.
_clipmill() {
  local line value
  local -a values open
  for line in "${(@f)$(clipmill complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files) _files ;;
      :folders) _files -/ ;;
      *)
        value=${line%%$'\t'*}
        line=${value//:/\\:}:${line#*$'\t'}
        if [[ $value == *= ]]; then open+=("$line"); else values+=("$line"); fi
        ;;
    esac
  done
  if (( $#values )); then _describe clipmill values; fi
  if (( $#open )); then _describe clipmill open -S ''; fi
}
compdef _clipmill clipmill
