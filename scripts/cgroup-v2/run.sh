#!/usr/bin/env bash
# Limits under version 2 of control groups and a real systemd, for machines that have neither: boots this very
# file system (read-only, with an overlay in memory) under Debian's kernel in qemu, without hardware support where
# there is none, and runs cases.mjs there three times: as a user with a manager of its own, as root with the
# system's manager, and as root in the root group of a system without systemd.
#
# Usage: npm run test:cgroup-v2; run.sh --install only gets what is needed. Needs Debian and apt-get, for qemu, busybox
# and systemd, and for a kernel that is unpacked into .cache and not installed. Takes some six minutes. The last
# line is "N passed, N failed".
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(cd "$here/../.." && pwd)
cache=$project/.cache/cgroup-v2
readonly LIMIT_S=900
mkdir -p "$cache"

have() { command -v "$1" >/dev/null; }
have qemu-system-x86_64 && have busybox && [[ -x /lib/systemd/systemd && -e /usr/lib/systemd/user/dbus.socket ]] ||
  apt-get install -y --no-install-recommends qemu-system-x86 busybox-static systemd libpam-systemd dbus-user-session >/dev/null
package=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: //p' | head -1)
version=${package#linux-image-}
if [[ ! -e $cache/kernel/boot/vmlinuz-$version ]]; then
  (cd "$cache" && apt-get download "$package" 2>/dev/null && dpkg -x "$package"_*.deb kernel && rm -f ./*.deb)
fi
modules=$cache/kernel/lib/modules/$version

# The modules that reach the disk of this machine (9p over virtio), each after those that it depends on.
initrd=$cache/initrd
rm -rf "$initrd"
mkdir -p "$initrd"/{bin,modules,proc,sys,dev,lower,upper,root}
cp "$(command -v busybox)" "$initrd/bin/busybox"
count=10
add_module() {
  local name=$1 file depends one
  file=$(find "$modules" -name "$name.ko" -o -name "${name//_/-}.ko" | head -1)
  [[ -n $file ]] || return 0 # built in
  depends=$(grep -a -o -z '^depends=[^[:cntrl:]]*' "$file" | tr -d '\0' | cut -d= -f2)
  for one in ${depends//,/ }; do add_module "$one"; done
  compgen -G "$initrd/modules/*-$name.ko" >/dev/null && return 0
  cp "$file" "$initrd/modules/$((count++))-$name.ko"
}
for module in virtio_pci 9pnet_virtio 9p overlay virtio_rng; do add_module "$module"; done
cp "$here/init.sh" "$initrd/init"
(cd "$initrd" && find . | busybox cpio -o -H newc 2>/dev/null | gzip -1) >"$cache/initrd.gz"

accel=tcg,thread=multi
if [[ -w /dev/kvm ]] && grep -q -w -E 'vmx|svm' /proc/cpuinfo; then accel=kvm; fi
[[ ${1:-} != --install ]] || exit 0
total_passed=0 total_failed=0
boot() {
  local how=$1 log=$cache/$1.log
  timeout --kill-after=10 "$LIMIT_S" qemu-system-x86_64 -M q35 -accel "$accel" -cpu max -smp 2 -m 3072 \
    -nographic -no-reboot -nodefaults -serial stdio -device virtio-rng-pci \
    -virtfs local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap \
    -kernel "$cache/kernel/boot/vmlinuz-$version" -initrd "$cache/initrd.gz" \
    -append "console=ttyS0 quiet loglevel=3 mitigations=off apparmor=0 systemd.unit=proctor.target systemd.show_status=0 systemd.unified_cgroup_hierarchy=1 proctor.how=$how proctor.project=$project proctor.node=$(command -v node)" \
    </dev/null >"$log" 2>&1 || true
  tr -d '\r' <"$log" | grep -E '^(==|ok  |FAIL|       |[0-9]+ passed)' || true
  read -r p f < <(tr -d '\r' <"$log" | awk '/^[0-9]+ passed, [0-9]+ failed$/ {p += $1; f += $3; n++} END {print p + 0, f + (n < '"$2"')}')
  total_passed=$((total_passed + p)) total_failed=$((total_failed + f))
}
boot systemd 2
boot plain 1
echo "$total_passed passed, $total_failed failed"
((total_failed == 0 && total_passed > 0))
