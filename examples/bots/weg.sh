#!/bin/sh
# Der Weg zum Erfolg, in plain shell: lines are spelled in one way (schemas/BOTS.md), so sed can take them apart.
# Run it with: referee bot try weg-zum-erfolg -- sh examples/bots/weg.sh

# The `id` of a question: what it asks and the time bank are all that stands before it.
name() {
  sed 's/^{"asked":"[^"]*","bank":[0-9.]*,"id":"\([^"]*\)".*/\1/'
}

# The example of the first choice. It is legal as it is, and in this game no object lies within another.
first() {
  sed 's/"move":/\
&/g' | sed -n '2s/^"move":\({[^}]*}\).*/\1/p'
}

while IFS= read -r line; do
  case $line in
    *'"type":"hello"}')
      echo '{"type":"ready","protocol":1,"name":"weg.sh"}'
      ;;
    *'"type":"question"}')
      id=$(printf '%s\n' "$line" | name)
      move=$(printf '%s\n' "$line" | first)
      printf '{"type":"answer","id":"%s","move":%s}\n' "$id" "$move"
      ;;
  esac
done
