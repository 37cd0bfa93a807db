# shellcheck shell=bash
# What the scripts of CI that print a line per check share; each sources it after it has set `work`, a temporary folder.
readonly HELM=v3.22.0
readonly CACHE=${XDG_CACHE_HOME:-$HOME/.cache}
readonly HELM_FOLDER=$CACHE/hourglass-helm/$HELM
export HELM_CACHE_HOME="$work/helm" HELM_CONFIG_HOME="$work/helm" HELM_DATA_HOME="$work/helm"
passed=0
failed=0

# check NAME COMMAND…: prints a line, and the command's output if it fails.
check() {
  local name=$1 started=$SECONDS
  shift
  if "$@" >"$work/output" 2>&1; then
    passed=$((passed + 1))
    printf 'ok      %s (%d s)\n' "$name" $((SECONDS - started))
  else
    failed=$((failed + 1))
    printf 'FAILED  %s (%d s)\n' "$name" $((SECONDS - started))
    sed 's/^/        /' "$work/output"
  fi
}

# once FOLDER COMMAND…: fills the folder, unless an earlier run completed it.
once() {
  local folder=$1
  shift
  if [ -e "$folder/.complete" ]; then return 0; fi
  rm -rf "$folder" && mkdir -p "$folder" && "$@" && touch "$folder/.complete"
}

# gently COMMAND…: for builds that take every core for minutes; the tests that run beside them come first.
gently() {
  nice -n 19 "$@"
}

build_helm() {
  if ! command -v go >/dev/null; then
    echo "Go is missing; helm is built with it. Install Go, then run this again."
    return 1
  fi
  GOBIN="$HELM_FOLDER" gently go install "helm.sh/helm/v3/cmd/helm@$HELM"
}

free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}
