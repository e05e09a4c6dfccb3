#!/bin/sh
# The whole round of a webhook on this machine: register, event, verify. Nothing leaves it, nothing is kept.
# usage: tests/demo-webhook.sh FOLDER-OF-THE-PROGRAMS
set -eu
bin=$1
home=$(mktemp -d)
pids=
trap 'kill $pids 2>/dev/null || :; rm -rf "$home"' EXIT INT TERM
export BURSAR_CONFIG="$home/config" XDG_CACHE_HOME="$home/cache" XDG_STATE_HOME="$home/state" XDG_CONFIG_HOME="$home/etc"

step() { printf '\n== %s\n' "$1"; }
wait_for() {
    for _ in $(seq 100); do
        if [ -s "$1" ]; then return; fi
        sleep 0.1
    done
    echo "demo-webhook: $1 did not come" >&2
    exit 1
}

"$bin/bursar-sandbox" listen --port 0 --port-file "$home/listener" --tls-dir "$home/tls" --secret-file "$home/secret" \
    --ndjson "$home/events" --save "$home/bodies" &
pids=$!
wait_for "$home/listener"
"$bin/bursar-sandbox" --listen 127.0.0.1:0 --port-file "$home/port" --token-file "$home/token" \
    --control-token-file "$home/control" --deliver-ca "$home/tls/ca.pem" --tick 300 &
pids="$pids $!"
wait_for "$home/port"
url="https://localhost:$(cat "$home/listener")/hook"
cat > "$home/config" <<END
profile demo {
  environment = sandbox
  base_url    = 'http://127.0.0.1:$(cat "$home/port")'
  token_file  = '$home/token'
}
END
chmod 600 "$home/config"

step "check the endpoint"
"$bin/bursar" webhook check "$url" --ca-file "$home/tls/ca.pem"
step "register it with a new secret"
"$bin/bursar" webhook register --url "$url" --generate-secret --secret-out "$home/secret" --yes
step "intents change; events arrive"
for _ in $(seq 100); do
    grep -m1 '"method":"POST"' "$home/events" > "$home/first" && break
    sleep 0.1
done
wait_for "$home/first"
step "verify the first one by hand"
header() { sed -n "s/.*\[\"$1\",\"\([^\"]*\)\"\].*/\1/p" "$home/first"; }
n=$(sed -n 's/^{"n":\([0-9]*\),.*/\1/p' "$home/first")
"$bin/bursar" webhook verify --body "$home/bodies/$n.body" --secret-file "$home/secret" \
    --header "webhook-id: $(header webhook-id)" --header "webhook-timestamp: $(header webhook-timestamp)" \
    --header "webhook-signature: $(header webhook-signature)"
