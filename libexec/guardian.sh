#!/bin/sh
# The guardian: waits for the session host's end. Its standard input is a pipe that only the host
# holds: a host that leaves says "bye" first; one that was killed just closes it, within milliseconds,
# and the guardian becomes the recovery. A waiting sh costs a twentieth of a waiting Node.
#
# Usage: guardian.sh NODE HOST_PROGRAM SESSION_DIR
trap '' HUP INT QUIT TERM TSTP
while read -r line; do
  [ "$line" = bye ] && exit 0
done
trap - HUP INT QUIT TERM TSTP
exec "$1" "$2" "$3" --recover </dev/null
