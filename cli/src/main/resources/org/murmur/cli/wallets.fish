function __murmur_wallets
  set -l data $HOME/.local/share/murmur
  test -n "$XDG_DATA_HOME"; and set data $XDG_DATA_HOME/murmur
  test (uname -s) = Darwin; and set data "$HOME/Library/Application Support/Murmur"
  test -n "$MURMUR_DATADIR"; and set data $MURMUR_DATADIR
  set -l before
  for word in (commandline -opc)
    test "$before" = --datadir; and set data (string replace -r '^~' $HOME -- $word)
    string match -q -- '--datadir=*' $word; and set data (string replace -- --datadir= '' $word)
    set before $word
  end
  for file in $data/*/*.sqlite
    string replace -r '.*/(.*)\.sqlite$' '$1' $file
  end
end
complete -c murmur -s w -l wallet -x -a '(__murmur_wallets)'
complete -c murmur -n '__fish_seen_subcommand_from rename delete' -a '(__murmur_wallets)'
