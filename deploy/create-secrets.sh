#!/bin/sh
# Creates the secrets of deploy/compose.yaml and deploy/kubernetes.yaml in deploy/secrets/, or in the folder that is given, and keeps
# those that exist. Only the owner of the folder can enter it, so the files in it may be readable: each container reads as another user.
set -eu
umask 022
deploy=$(dirname "$0")
secrets=${1:-$deploy/secrets}
mkdir -p "$secrets/tls"
chmod 700 "$secrets"

for name in redis-key redis-password grafana-password; do
  [ -s "$secrets/$name" ] && continue
  od -An -v -N32 -tx1 /dev/urandom | tr -d ' \n' >"$secrets/$name"
done

# Valkey knows the hash of the password only.
hash=$(sha256sum <"$secrets/redis-password" | cut -d ' ' -f 1)
sed "s/PASSWORD-SHA256/$hash/" "$deploy/valkey/users.acl" >"$secrets/valkey.acl"
