#!/usr/bin/env bash
# Fails unless a checked-in page is equal to the generated one: compare_page.sh PAGE GENERATED
set -eu
if ! diff -u "$1" "$2"; then
  echo "$1 is not current: run docs/generate and commit the result" >&2
  exit 1
fi
