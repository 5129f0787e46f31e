#!/bin/busybox sh
# The first process of the guest: mounts the host's disk below an overlay, and becomes its systemd, or runs the
# cases itself where none is wanted.
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in /modules/*; do insmod "$module"; done
mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=524288,cache=loose root /lower
mount -t tmpfs -o size=1500M upper /upper
mkdir /upper/files /upper/work
mount -t overlay -o lowerdir=/lower,upperdir=/upper/files,workdir=/upper/work overlay /root

option() { sed -n "s/.*proctor\.$1=\([^ ]*\).*/\1/p" /proc/cmdline; }
project=$(option project)
cases="cd $project; export PATH=$(dirname "$(option node)"):/usr/local/bin:/usr/bin:/bin; node scripts/cgroup-v2/cases.mjs"

if [ "$(option how)" = plain ]; then
  for one in proc sys dev; do mount --move /$one /root/$one; done
  mkdir -p /root/dev/pts /root/dev/shm
  mount -t devpts pts /root/dev/pts
  mount -t cgroup2 cgroup2 /root/sys/fs/cgroup
  echo "== root, without systemd"
  chroot /root /bin/bash -c "export HOME=/root; $cases 'cgroup v2'"
  poweroff -f
fi

# systemd takes the file for a container's mark; the units of the host's are none of ours.
rm -rf /root/.dockerenv /root/etc/systemd/system/*.wants
: >/root/etc/fstab
units=/root/etc/systemd/system
for unit in systemd-tmpfiles-setup systemd-tmpfiles-setup-dev systemd-random-seed systemd-update-utmp \
  systemd-udevd systemd-udev-trigger systemd-sysusers systemd-machine-id-commit systemd-timesyncd; do
  ln -sf /dev/null "$units/$unit.service"
done
grep -q '^[^:]*:[^:]*:4321:' /root/etc/passwd || echo 'proctor-guest:*:4321:4321::/home/proctor-guest:/bin/bash' >>/root/etc/passwd
mkdir -p /root/home/proctor-guest "$units/proctor.target.wants"
chown 4321:4321 /root/home/proctor-guest
printf '[Unit]\nRequires=basic.target\nAfter=basic.target\n' >"$units/proctor.target"
cat >"$units/proctor-cases.service" <<UNIT
[Unit]
Requires=user@4321.service dbus.service
After=user@4321.service dbus.service
[Service]
Type=oneshot
TimeoutStartSec=infinity
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS0
ExecStart=/bin/sh /run-cases.sh
ExecStopPost=/bin/systemctl poweroff --force --force
UNIT
cat >/root/run-cases.sh <<CASES
echo "== a user, with the user's manager"
setpriv --reuid 4321 --regid 4321 --clear-groups --inh-caps=-all env -i HOME=/home/proctor-guest XDG_RUNTIME_DIR=/run/user/4321 \
  /bin/bash -c "$cases 'cgroup v2 (systemd-run --user --scope)'"
echo "== root, with the system's manager"
env -i HOME=/root /bin/bash -c "$cases 'cgroup v2 (systemd-run --scope --slice-inherit)'"
CASES
ln -s ../proctor-cases.service "$units/proctor.target.wants/proctor-cases.service"
umount /proc /sys
mount --move /dev /root/dev
exec switch_root /root /lib/systemd/systemd
