#!/usr/bin/env bash
# Verifies a project in continuous integration and annotates lines; what action.yml and gitlab.yml run.
#
# VERGO            the command (vergo)
# VERGO_FILES      the C files, or nothing for those of vergo.toml
# VERGO_ARGUMENTS  further arguments of `vergo check`
# VERGO_BASELINE   a file of accepted findings
# VERGO_ONLY_CHANGED, VERGO_BASE
#                  with `true` and a branch or commit: nothing is done if no C file differs from it
# VERGO_FAIL_ON    violated (new violations), unknown (also undecided claims), never
# VERGO_SARIF, VERGO_JUNIT, VERGO_JSON
#                  where reports are written
set -uo pipefail

vergo="${VERGO:-vergo}"
fail_on="${VERGO_FAIL_ON:-violated}"
case "$fail_on" in
    violated | unknown | never) ;;
    *)
        echo "vergo: fail-on is violated, unknown or never, not '$fail_on'" >&2
        exit 2
        ;;
esac

if [ "${VERGO_ONLY_CHANGED:-false}" = true ] && [ -n "${VERGO_BASE:-}" ]; then
    if changed="$(git diff --name-only "$VERGO_BASE"... -- '*.c' '*.h' '*.i' vergo.toml 2>/dev/null)" && [ -z "$changed" ]; then
        echo "vergo: no C file differs from $VERGO_BASE"
        exit 0
    fi
fi

arguments=(check --annotate "${VERGO_ANNOTATE:-github}")
[ -n "${VERGO_BASELINE:-}" ] && arguments+=(--baseline "$VERGO_BASELINE")
[ -n "${VERGO_SARIF:-}" ] && arguments+=(--sarif "$VERGO_SARIF")
[ -n "${VERGO_JUNIT:-}" ] && arguments+=(--junit "$VERGO_JUNIT")
[ -n "${VERGO_JSON:-}" ] && arguments+=(--json "$VERGO_JSON")
# Both are lists of words by intention.
# shellcheck disable=SC2206
arguments+=(${VERGO_ARGUMENTS:-} ${VERGO_FILES:-})

"$vergo" "${arguments[@]}"
status=$?
case "$status" in
    0) exit 0 ;;
    10) [ "$fail_on" = never ] && exit 0 || exit 1 ;;
    20) [ "$fail_on" = unknown ] && exit 1 || exit 0 ;;
    *) exit "$status" ;;
esac
