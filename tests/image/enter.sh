#!/bin/sh
# enter.sh ROOT STATE SECRETS UID GID COMMAND…: become COMMAND inside an image's files, as a container would run it:
# the root read-only, /tmp its own, no capability, no way to new ones. Run by `unshare --mount`.
set -eu
root=$1 state=$2 secrets=$3 uid=$4 gid=$5
shift 5
mount --bind "$root" "$root"
mount -t tmpfs -o mode=0755 run "$root/run"
mkdir "$root/run/secrets"
mount --bind "$secrets" "$root/run/secrets"
mount -o remount,bind,ro "$root/run/secrets"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777,nosuid,nodev,noexec tmp "$root/tmp"
mount --bind "$state" "$root/var/lib/exchange"
mount -o remount,bind,ro "$root"
exec chroot "$root" setpriv --reuid "$uid" --regid "$gid" --clear-groups \
	--bounding-set=-all --inh-caps=-all --no-new-privs -- "$@"
