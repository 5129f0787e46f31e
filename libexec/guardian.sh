#!/bin/sh
# The guardian: the parent of a session's host. When the host is killed, at whatever moment, it starts
# another, which takes every run up or, when the owner is gone, ends them all. A waiting sh costs a
# twentieth of a waiting Node.
#
# Usage: guardian.sh NODE HOST_PROGRAM SESSION_DIR [watch]
#
# With "watch" there is a host already, which is not a child of ours: standard input is a pipe that only
# that host holds. It says "bye" before it leaves; one that was killed just closes it.
trap '' HUP INT QUIT TERM TSTP
as=first
if [ "$4" = watch ]; then
  as=follower
  while read -r line; do
    [ "$line" = bye ] && exit 0
  done
fi
left=20
while [ "$left" -gt 0 ]; do
  "$1" "$2" "$3" $as </dev/null
  case $? in
    0) exit 0 ;;  # left by itself: nothing to guard any more
    78) exit 0 ;; # could not start, and said why
  esac
  as=follower
  left=$((left - 1))
done
