# Shared by the scripts of this folder; to be sourced.

dist_source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
dist_preset=${DIST_PRESET:-dev}

# step TEXT...: one line of progress with the seconds since the command began.
step() { printf '[%4d s] %s\n' "$SECONDS" "$*"; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# usage: prints the comment at the top of the calling script.
usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; }

# compact: keeps errors and warnings of a long command, and of its progress
# lines one in five seconds.
compact() {
  local line last=-5
  while IFS= read -r line || [[ -n $line ]]; do
    case $line in
    \[*/*\]* | Get:* | Selecting\ * | Preparing\ * | Unpacking\ * | \
      Setting\ up\ * | Processing\ * | \(Reading\ * | Fetched\ *)
      ((SECONDS - last >= 5)) || continue
      last=$SECONDS
      ;;
    esac
    printf '         %s\n' "$line"
  done
}

# jobs: how many compilers fit into cores and memory, 0.9 GB each.
jobs() {
  local cores kilobytes limit fit
  cores=$(nproc)
  kilobytes=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
  if limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null) &&
    [[ $limit =~ ^[0-9]+$ ]] && ((limit / 1024 < kilobytes)); then
    kilobytes=$((limit / 1024))
  fi
  fit=$((kilobytes / 943718))
  ((fit >= 1)) || fit=1
  echo $((fit < cores ? fit : cores))
}
