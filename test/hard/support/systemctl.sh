#!/bin/bash
# Stands in for systemctl where no systemd runs: starts what the unit says, as the user it says, and stops it by its id.
state=/var/lib/systemctl; mkdir -p $state
field() { sed -n "s/^$2=//p" "/etc/systemd/system/$1" | head -1; }
start() {
  [ "$1" = nginx ] && { nginx; return; }
  unit=$1.service; user=$(field $unit User)
  env -i PATH=/usr/bin:/bin $(field $unit Environment) setpriv --reuid="$user" --regid="$user" --init-groups --no-new-privs $(field $unit ExecStart) >>/var/log/$1.log 2>&1 &
  echo $! >$state/$1
  for _ in $(seq 600); do grep -q 'listens on' /var/log/$1.log && curl -sf http://127.0.0.1:8080/health/ready >/dev/null && return 0; sleep 0.1; done
  cat /var/log/$1.log >&2; return 1
}
stop() {
  [ "$1" = nginx ] && { nginx -s quit; return; }
  pid=$(cat $state/$1 2>/dev/null) || return 0
  kill -TERM "$pid"; for _ in $(seq 300); do kill -0 "$pid" 2>/dev/null || { : >/var/log/$1.log; rm $state/$1; return 0; }; sleep 0.1; done
  return 1
}
verb=$1; shift
case $verb in
  daemon-reload) exit 0 ;;
  enable) for unit; do [ "$unit" = --now ] && continue; systemd-analyze verify "/etc/systemd/system/${unit%.timer}.service" 2>&1 | grep "/etc/systemd/system/marquee" && exit 1; case $unit in *.timer) ;; *) start "$unit" || exit 1 ;; esac; done ;;
  reload) nginx -s reload 2>/dev/null || nginx ;;
  start | stop) for unit; do $verb "$unit" || exit 1; done ;;
  restart) for unit; do stop "$unit" && start "$unit" || exit 1; done ;;
  *) echo "systemctl $verb is not known here" >&2; exit 1 ;;
esac
