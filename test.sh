#!/usr/bin/env bash
# Everything that has to hold, from a clean checkout: ./test.sh. Some of it: ./test.sh STEP...
# Steps, in order: tools, fmt, page, build, clippy, rust, agents, web, browser, bench, sqlx, deny, tree.
#
# Needs rustup's cargo, Node.js (see .node-version) and npm; Chromium for the browser, strace for one test. As root on
# Debian the last two are installed when they are missing. Logs are kept in target/test-logs. A step that fails is named,
# the others go on; only without a build there is nothing more to test.
set -uo pipefail
cd "$(dirname "$0")"

export CARGO_TERM_PROGRESS_WHEN=never CARGO_INCREMENTAL="${CARGO_INCREMENTAL:-1}"
target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target
export DROVER_BIN=$target/debug/drover
logs=$target/test-logs
mkdir -p "$logs"
steps=(tools fmt page build clippy rust agents web browser bench sqlx deny tree)
wanted=" $* "
for name in "$@"; do
  [[ " ${steps[*]} " == *" $name "* ]] || { echo "no such step: $name. There are: ${steps[*]}"; exit 2; }
done
failed=()
started=$SECONDS
status_before=$(git status --porcelain 2>/dev/null)

# step NAME: runs the function of that name, keeps its output, tells how long it took and whether it held.
step() {
  local name=$1 from=$SECONDS code
  [[ $wanted == "  " || $wanted == *" $name "* ]] || return 0
  printf '\n== %s\n' "$name"
  "$name" > >(exec tee "$logs/$name.log") 2>&1
  code=$?
  has_ended $! || { echo "it left a process behind that still holds its output"; code=1; }
  if ((code == 0)); then
    printf '== %s: ok, %d s\n' "$name" $((SECONDS - from))
  else
    printf '== %s: FAILED after %d s; again by itself: ./test.sh %s\n' "$name" $((SECONDS - from)) "$name"
    failed+=("$name")
  fi
  return $code
}

# has_ended PID: whether the process ends within 10 s.
has_ended() {
  local tries
  for ((tries = 0; tries < 100; tries++)); do
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}

tools() {
  local missing=()
  command -v strace >/dev/null || [[ $(uname) != Linux ]] || missing+=(strace)
  command -v chromium >/dev/null || missing+=(chromium)
  # Login shells that are tried where they are.
  local shells=(zsh fish)
  if [[ ${CI:-} ]]; then
    local shell
    for shell in "${shells[@]}"; do command -v "$shell" >/dev/null || missing+=("$shell"); done
  fi
  if ((${#missing[@]})) && [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
    apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" || return
    missing=()
  fi
  if ((${#missing[@]})); then
    echo "missing: ${missing[*]}. Install them and start again."
    return 1
  fi
  cargo --version && echo "node $(node --version), npm $(npm --version)" && chromium --version --no-sandbox
}

fmt() { cargo fmt --all --check; }

# The rule of the page's build, on a copy of the checkout so that the one at hand keeps its web/dist.
page() (
  copy=$(mktemp -d) || return
  trap 'rm -rf "$copy"' EXIT
  mkdir "$copy/tree" "$copy/bin"
  git ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' file; do [[ -e $file ]] && printf '%s\0' "$file"; done |
    tar --null -T - -cf - | tar -xf - -C "$copy/tree" || return

  echo "- without Node.js and without web/dist it says what to do"
  while IFS= read -r -d : folder; do
    [[ -d $folder ]] && ln -s "$folder"/* "$copy/bin" 2>/dev/null
  done <<<"$PATH:"
  rm -f "$copy/bin"/{node,npm,npx}
  output=$(PATH=$copy/bin build_page 2>&1) && { printf '%s\nit built\n' "$output"; return 1; }
  grep -q 'Node.js was not found on PATH. Fix one of: 1. install Node.js' <<<"$output" || { echo "$output"; return 1; }

  echo "- with it the page is built"
  build_page && [[ -f $copy/tree/web/dist/.stamp ]] || return

  echo "- a second build compiles nothing"
  output=$(build_page --message-format json) && compiles_nothing "$output" || return

  echo "- a fresh web/dist needs no Node.js"
  PATH=$copy/bin build_page || return

  echo "- git sees nothing of what was built"
  output=$(cd "$copy/tree" && git init -q && git status --porcelain --untracked-files=all | grep -E 'web/(dist|node_modules|\.build\.lock)')
  [[ -z $output ]] || { echo "$output"; return 1; }
)

build_page() {
  (cd "$copy/tree" && CARGO_TARGET_DIR=$copy/target cargo build --locked -q -p drover-assets "$@")
}

# Takes cargo's messages; says what was compiled.
compiles_nothing() {
  local compiled
  compiled=$(grep -F '"fresh":false' <<<"$1" | grep -oE '"package_id":"[^"]*"' | sort -u)
  [[ -z $compiled ]] || { printf 'compiled again:\n%s\n' "$compiled"; return 1; }
}

build() {
  local output
  cargo build --locked --workspace --all-targets || return
  output=$(cargo build --locked --workspace --all-targets -q --message-format json) || return
  compiles_nothing "$output"
}

clippy() { cargo clippy --locked --workspace --all-targets -- -D warnings; }

rust() { cargo test --locked --workspace --no-fail-fast; }

# Claude Code and Codex as they are published, installed once a version (most of a gigabyte) in the user's cache.
# They are programs of others, on a busy machine: what fails is run once more, and its first output stays in the log.
agents() { real_agents || { echo "- once more"; real_agents; }; }
real_agents() { cargo test --locked -p drover-tests --test agents -- --ignored --test-threads 2; }

# A fresh web/dist was built without them, or elsewhere.
packages() {
  [[ -x web/node_modules/.bin/vitest && -x web/node_modules/.bin/playwright ]] ||
    npm --prefix web ci --no-audit --no-fund --ignore-scripts
}

web() { packages && npm --prefix web run check && npm --prefix web run budget; }

browser() { packages && npm --prefix web run test:e2e; }

# As it was built with the whole workspace: cargo run would build what it needs once more, with other features.
bench() { "$target/debug/bench" --short && packages && npm --prefix web run bench -- --short; }

# Late, because it makes cargo believe that the store has changed.
sqlx() { crates/store/sqlx.sh; }

# cargo-deny is built once a version (a minute or two) and kept in the user's cache, out of the tree.
deny() {
  local version=0.20.2
  local root=${XDG_CACHE_HOME:-$HOME/.cache}/drover/cargo-deny-$version
  if [[ ! -x $root/bin/cargo-deny ]]; then
    env -u CARGO_TARGET_DIR CARGO_PROFILE_DEV_DEBUG=0 cargo install -q --locked --debug --root "$root" cargo-deny@$version || return
  fi
  "$root/bin/cargo-deny" --locked check licenses bans sources
}

# Nothing above may have written into the tree: not a generated file that was out of date, not a stray one.
tree() {
  local now
  now=$(git status --porcelain)
  [[ $now == "$status_before" ]] || { diff <(echo "$status_before") <(echo "$now"); return 1; }
}

# count WORD: the sum of the numbers before that word in the summaries of cargo test, Vitest and Playwright.
count() {
  cat "$logs"/{rust,agents,web,browser}.log 2>/dev/null | sed 's/\x1b\[[0-9;]*m//g' |
    awk -v word="$1" '/^test result:|^ *Tests  |^  *[0-9]+ (passed|failed)/ { for (i = 2; i <= NF; i++) { w = $i; sub(/[;,]$/, "", w); if (w == word) sum += $(i - 1) } } END { print sum + 0 }'
}

all=$([[ $wanted == "  " ]] && echo yes)
[[ -z $all ]] || rm -f "$logs"/*.log
for name in "${steps[@]}"; do
  step "$name" || [[ $name != build ]] || break
done

printf '\n%d s in all. Steps that failed: %s\n' $((SECONDS - started)) "${failed[*]:-none}"
if [[ -n $all ]]; then
  # A step can fail without a test that does.
  failures=$(count failed)
  ((failures >= ${#failed[@]})) || failures=${#failed[@]}
  printf '%d passed, %d failed\n' "$(count passed)" "$failures"
fi
((${#failed[@]} == 0))
