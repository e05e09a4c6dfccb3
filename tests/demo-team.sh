#!/bin/sh
# Two desks of a team on this machine: a PostgreSQL and a sandbox of their own, a home for each operator, and two
# consoles side by side. Nothing leaves the machine, nothing is kept.
# usage: tests/demo-team.sh FOLDER-OF-THE-PROGRAMS
set -eu
bin=$(cd "$1" && pwd)
# The newest one that is installed; Debian's are not in PATH.
pg=$(for program in /usr/lib/postgresql/*/bin/initdb $(command -v initdb || :); do
    if [ -x "$program" ]; then dirname "$program"; fi
done | sort -t/ -k5 -n | tail -1)
if [ -z "$pg" ]; then
    echo "demo-team: PostgreSQL is not installed. Debian: apt-get install postgresql tmux" >&2
    exit 1
fi
# It does not run as root.
if [ "$(id -u)" = 0 ]; then
    as_nobody="setpriv --reuid=nobody --regid=nogroup --clear-groups"
else
    as_nobody=
fi

home=$(mktemp -d /tmp/bursar-team-XXXXXX)
tmux=bursar-team-$$
sandbox= server=
put_away() {
    trap '' INT TERM HUP
    if command -v tmux >/dev/null 2>&1; then tmux -L "$tmux" kill-server 2>/dev/null || :; fi
    for pid in $sandbox $server; do kill -INT "$pid" 2>/dev/null || :; done
    for pid in $sandbox $server; do wait "$pid" 2>/dev/null || :; done
    rm -rf "$home"
    echo "demo-team: PostgreSQL, sandbox and both homes are removed"
}
trap put_away EXIT
trap 'exit 130' INT TERM HUP

wait_for() { # a command
    for _ in $(seq 200); do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.1
    done
    echo "demo-team: $* never came true; see above" >&2
    exit 1
}

echo "demo-team: a PostgreSQL in $home/pg"
mkdir "$home/pg"
chmod 755 "$home"
if [ -n "$as_nobody" ]; then chown nobody:nogroup "$home/pg"; fi
cd / # which it may read
$as_nobody "$pg/initdb" -D "$home/pg/data" -U owner -A trust -E UTF8 --locale=C --no-sync >/dev/null
$as_nobody "$pg/postgres" -D "$home/pg/data" -k "$home/pg" -c listen_addresses= -c shared_buffers=16MB \
    2>"$home/pg/log" &
server=$!
wait_for "$pg/pg_isready" -q -h "$home/pg" -U owner
"$pg/psql" -h "$home/pg" -U owner -d postgres -qX -c "CREATE ROLE bursar LOGIN" -c "CREATE DATABASE bursar OWNER bursar"

# The second user's answer is lost, so that there is something to settle.
"$bin/bursar-sandbox" --listen 127.0.0.1:0 --port-file "$home/port" --token-file "$home/token" \
    --control-token-file "$home/control" --intents 2000 --tick 3000 --fault 'path=/user nth=2 status=503' \
    >/dev/null 2>"$home/sandbox.log" &
sandbox=$!
wait_for test -s "$home/port"

at_desk() { # operator, arguments
    operator=$1
    shift
    env HOME="$home/$operator" BURSAR_CONFIG="$home/$operator/config" XDG_CONFIG_HOME="$home/$operator" \
        XDG_STATE_HOME="$home/$operator/state" XDG_CACHE_HOME="$home/$operator/cache" "$bin/bursar" "$@"
}
for operator in anna ben; do
    mkdir -m 700 "$home/$operator"
    cat > "$home/$operator/config" <<END
profile $operator {
  environment   = sandbox
  base_url      = 'http://127.0.0.1:$(cat "$home/port")'
  token_file    = '$home/token'
  team_store    = 'postgresql://bursar@/bursar?host=$home/pg'
  team_key_file = '$home/team.key'
}
END
    chmod 600 "$home/$operator/config"
    cat > "$home/console-$operator" <<END
#!/bin/sh
exec env HOME='$home/$operator' BURSAR_CONFIG='$home/$operator/config' XDG_CONFIG_HOME='$home/$operator' \\
    XDG_STATE_HOME='$home/$operator/state' XDG_CACHE_HOME='$home/$operator/cache' '$bin/bursar' "\$@"
END
    chmod 755 "$home/console-$operator"
done
at_desk anna team init 2>/dev/null
person() { # first name, tag
    cat > "$home/person.json" <<END
{"name":{"first":"$1","last":"Sample"},"email":"$2@a.example","tag":"$2","identity_verified":true}
END
}
person Ada demo-1
at_desk anna users create --file "$home/person.json" --yes >/dev/null 2>&1 || :
person Bo demo-2
at_desk anna users create --file "$home/person.json" --yes >/dev/null 2>&1 || : # its outcome is unknown

say_what_to_do() {
    cat <<END

  Two desks, anna's and ben's, on one store. To try:
    - Activity: what the other desk registered, and one of unknown outcome that either may settle for both
    - register Ada Sample at ben's desk (tag demo-1): nothing is sent, and it says who has her already
    - register somebody new at both desks at once: one goes, the other is told by whom
    - $home/console-ben activity --team        and team status, team verify, team members
  Leave both consoles, or press Ctrl-C here: everything is removed.

END
}
say_what_to_do
if command -v tmux >/dev/null 2>&1 && [ -t 0 ] && [ -t 1 ]; then
    echo "Enter opens both."
    read -r _ || :
    set -- $(stty size)
    tmux -L "$tmux" -f /dev/null new-session -d -x "${2:-200}" -y "${1:-50}" "'$home/console-anna'"
    tmux -L "$tmux" set-option -g status-left-length 120
    tmux -L "$tmux" set-option -g status-left " desk of anna | desk of ben    Ctrl-B and an arrow: the other desk; Ctrl-B d: the end "
    tmux -L "$tmux" set-option -g status-right ""
    tmux -L "$tmux" set-option -g window-status-format ""
    tmux -L "$tmux" set-option -g window-status-current-format ""
    tmux -L "$tmux" split-window -h "'$home/console-ben'"
    tmux -L "$tmux" select-pane -t 0
    env -u TMUX tmux -L "$tmux" attach
else
    echo "Without tmux: in one terminal   $home/console-anna"
    echo "              in another        $home/console-ben"
    echo "Then Enter or Ctrl-C here ends it."
    read -r _ || :
fi
