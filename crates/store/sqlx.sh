#!/usr/bin/env bash
# Checks that .sqlx, what the store's queries are built against where there is no database, is complete and holds nothing
# stale; with --write, writes it anew.
#
# The queries are checked against the newest database in tests/fixtures, which a test holds to the migrations. After a
# change there: DROVER_WRITE_FIXTURES=1 cargo test -p drover-store fixtures, then this with --write.
set -euo pipefail
cd "$(dirname "$0")"

fixtures=("$PWD"/tests/fixtures/schema-*.db)
kept=$PWD/../../.sqlx
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT

# Queries are looked at only while their crate is compiled.
touch src/lib.rs
DATABASE_URL="sqlite://${fixtures[-1]}?immutable=true" SQLX_OFFLINE_DIR=$fresh \
  cargo check --locked --quiet --package drover-store --lib

if [[ ${1:-} == --write ]]; then
  rm -rf "$kept"
  mkdir "$kept"
  cp "$fresh"/query-*.json "$kept"
elif ! diff --recursive --brief "$kept" "$fresh"; then
  echo ".sqlx does not fit the queries: crates/store/sqlx.sh --write"
  exit 1
fi
