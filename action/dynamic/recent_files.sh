# /// partner
# title = "Recent files"
# description = "Show what changed lately in a folder: the newest files, with day, time and size"
# aliases = { en = [
#   "what did I work on lately",
#   "latest downloads",
#   "recently changed files",
#   "newest files",
#   "files modified in the last days",
#   "what did I change this week",
# ], zh = ["最近修改的文件", "最近改了什么", "最新的文件", "最近下载的文件", "最近几天的文件", "哪些文件刚改过"] }
# tags = ["recent", "changes"]
# annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false }
# timeoutSeconds = 300
# [params.folder]
# type = "string"
# format = "path"
# access = "read"
# description = "the folder to look at, with all folders in it"
# [params.days]
# type = "integer"
# minimum = 1
# maximum = 3650
# default = 7
# description = "how many days back"
# [params.count]
# type = "integer"
# minimum = 1
# maximum = 100
# default = 20
# description = "how many files are listed"
# [params.include_hidden]
# type = "boolean"
# default = false
# description = "whether to look at hidden files and folders too"
# ///
#
# Called as `recent_files.sh --folder=PATH …`; one JSON object on stdout. A sample in shell to copy from: bash and
# GNU find. Names may hold anything, newlines too: they travel between NULs. Links are not followed.

set -u -o pipefail

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

# A text as it may stand between quotation marks in JSON, and in one line.
shown() {
  local text=$1
  [ "${#text}" -le 150 ] || text=${text:0:90}…${text: -59}
  text=${text//\\/\\\\}
  text=${text//\"/\\\"}
  text=${text//[[:cntrl:]]/$'\xef\xbf\xbd'}
  printf '%s' "$text"
}

# `1234567` → `1.2 MB`.
human() {
  local tenths=$(($1 * 10)) unit
  [ "$1" -lt 1000 ] && printf '%d bytes' "$1" && return
  for unit in kB MB GB TB; do
    tenths=$((tenths / 1000))
    [ "$tenths" -lt 10000 ] && break
  done
  printf '%d.%d %s' $((tenths / 10)) $((tenths % 10)) "$unit"
}

plural() {
  [ "$1" -eq 1 ] && printf '1 %s' "$2" || printf '%d %s' "$1" "$3"
}

# A whole number between two others.
number() {
  case $2 in '' | *[!0-9]*) fail "$1 must be a whole number, not $2." ;; esac
  [ "${#2}" -lt 10 ] && [ "$((10#$2))" -ge "$3" ] && [ "$((10#$2))" -le "$4" ] ||
    fail "$1 must be between $3 and $4."
}

folder='' days=7 count=20 include_hidden=false
for argument in "$@"; do
  case $argument in
    --folder=*) folder=${argument#*=} ;;
    --days=*) days=${argument#*=} ;;
    --count=*) count=${argument#*=} ;;
    --include_hidden=*) include_hidden=${argument#*=} ;;
  esac
done
# shellcheck disable=SC2088
case $folder in '~') folder=$HOME ;; '~/'*) folder=$HOME/${folder#'~/'} ;; esac

[ -n "$folder" ] || fail 'Which folder? Give it as --folder=PATH.'
number days "$days" 1 3650
number count "$count" 1 100
place=$(shown "$folder")
[ -e "$folder" ] || fail "There is no folder $place."
[ -d "$folder" ] || fail "$place is not a folder."
[ -r "$folder" ] && [ -x "$folder" ] || fail "$place cannot be read."
find --version >/dev/null 2>&1 || fail 'This needs GNU find; install the package findutils.'

days=$((10#$days)) count=$((10#$count))
since=$(($(date +%s) - days * 86400))
hidden=()
[ "$include_hidden" = true ] || hidden=(-name '.*' -prune -o)

log=$(mktemp) || fail 'No temporary file can be made.'
trap 'rm -f -- "$log"' EXIT
found=0 rows='' newest=''
while IFS= read -r -d '' entry; do
  found=$((found + 1))
  [ "$found" -le "$count" ] || continue
  seconds=${entry%%.*} rest=${entry#* }
  name=$(shown "${rest#* }") size=$(human "${rest%% *}")
  printf -v day '%(%Y-%m-%d %H:%M)T' "$seconds"
  [ -n "$newest" ] || newest="$name ($day)"
  rows+="${rows:+, }{\"file\": \"$name\", \"changed\": \"$day\", \"size\": \"$size\"}"
done < <(
  export LC_ALL=C # numbers with a point, wherever this runs
  find -P "$folder/" -mindepth 1 "${hidden[@]}" -type f -newermt "@$since" -printf '%T@ %s %P\0' 2>"$log" |
    sort -z -r -n
)
unreadable=$(wc -l <"$log") # find tells what it cannot read, one line each

in_days=$([ "$days" -eq 1 ] && printf 'the last day' || printf 'the last %d days' "$days")
if [ "$found" -eq 0 ]; then
  summary="No file in $place changed in $in_days."
else
  summary="$(plural "$found" file files) in $place changed in $in_days; the newest is $newest."
fi
[ "$unreadable" -eq 0 ] || summary+=" $(plural "$unreadable" place places) could not be read."
printf '{"summary": "%s", "files_found": %d, "files": [%s]}\n' "$summary" "$found" "$rows"
