#!/bin/sh
# Runs a program in the root of another system: within-root.sh ROOT PROGRAM ARGUMENT…
# The mounts are in a mount namespace of this process alone. They end with it, and a root that is removed, as by
# `cargo clean`, has no /dev and no /tmp of the machine in it.
set -eu
root=$1
shift
exec unshare --mount sh -euc '
    root=$0
    for shared in proc dev tmp; do
        mount --rbind "/$shared" "$root/$shared"
    done
    exec chroot "$root" "$@"
' "$root" "$@"
