
# Names of wallets, of all networks.
_murmur_wallets() {
  local data="${XDG_DATA_HOME:-$HOME/.local/share}/murmur" word before=
  if [ "$(uname -s)" = Darwin ]; then data="$HOME/Library/Application Support/Murmur"; fi
  data="${MURMUR_DATADIR:-$data}"
  for word in "${COMP_WORDS[@]}"; do
    case $word in --datadir=*) data="${word#*=}" ;; esac
    # Bash splits words at an equals sign.
    case $before in --datadir|--datadir=) if [ "$word" != = ]; then data="$word"; fi ;; esac
    case $word in =) before="$before=" ;; *) before="$word" ;; esac
  done
  data="${data/#\~/$HOME}"
  find "$data" -maxdepth 2 -name '*.sqlite' 2>/dev/null | sed -nE 's|.*/([A-Za-z0-9_][A-Za-z0-9._-]*)[.]sqlite$|\1|p'
}

_murmur_with_wallets() {
  case ${COMP_WORDS[COMP_CWORD-1]} in
    -w|--wallet|rename|delete)
      COMPREPLY=( $(compgen -W "$(_murmur_wallets)" -- "${COMP_WORDS[COMP_CWORD]}") ) ;;
    *) _complete_murmur "$@" ;;
  esac
}
