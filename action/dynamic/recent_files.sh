# /// partner
# title = { en = "Recent files", zh = "最近的文件" }
# description.en = "Show what changed lately in a folder: the newest files, with day, time and size"
# description.zh = "看看一个文件夹里最近改了什么：最新的文件，带日期、时间和大小"
# aliases = { en = [
#   "what did I work on lately",
#   "latest downloads",
#   "recently changed files",
#   "newest files",
#   "files modified in the last days",
#   "what did I change this week",
#   "which files did I change in the last days",
# ], zh = ["最近修改的文件", "最近改了什么", "最新的文件", "最近下载的文件", "最近几天的文件", "哪些文件刚改过"] }
# tags = ["recent", "changes"]
# annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false }
# timeoutSeconds = 300
# [params.folder]
# type = "string"
# format = "path"
# access = "read"
# title.zh = "文件夹"
# description.en = "the folder to look at, with all folders in it"
# description.zh = "要看的文件夹，连同里面所有的文件夹"
# [params.days]
# type = "integer"
# minimum = 1
# maximum = 3650
# default = 7
# title.zh = "天数"
# description.en = "how many days back"
# description.zh = "往回看多少天"
# [params.count]
# type = "integer"
# minimum = 1
# maximum = 100
# default = 20
# title.zh = "数量"
# description.en = "how many files are listed"
# description.zh = "列出多少个文件"
# [params.include_hidden]
# type = "boolean"
# default = false
# title.zh = "包括隐藏文件"
# description.en = "whether to look at hidden files and folders too"
# description.zh = "要不要也看隐藏的文件和文件夹"
# ///
#
# Called as `recent_files.sh --folder=PATH …`; one JSON object on stdout. A sample in shell to copy from: bash and
# GNU find. Names may hold anything, newlines too: they travel between NULs. Links are not followed.

set -u -o pipefail

case ${PARTNER_LANG:-} in zh*) chinese=true ;; *) chinese=false ;; esac

# A sentence in the language that Partner speaks with the person: English, Chinese.
told() {
  if "$chinese"; then printf '%s' "$2"; else printf '%s' "$1"; fi
}

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
  [ "$1" -lt 1000 ] && printf '%d %s' "$1" "$(told bytes 字节)" && return
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
  case $2 in '' | *[!0-9]*) fail "$(told "$1 must be a whole number, not $2." "$1 必须是整数，不能是 $2。")" ;; esac
  [ "${#2}" -lt 10 ] && [ "$((10#$2))" -ge "$3" ] && [ "$((10#$2))" -le "$4" ] ||
    fail "$(told "$1 must be between $3 and $4." "$1 必须在 $3 和 $4 之间。")"
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

[ -n "$folder" ] || fail "$(told 'Which folder? Give it as --folder=PATH.' '哪个文件夹？请用 --folder=PATH 给出。')"
number days "$days" 1 3650
number count "$count" 1 100
place=$(shown "$folder")
[ -e "$folder" ] || fail "$(told "There is no folder $place." "没有文件夹 $place。")"
[ -d "$folder" ] || fail "$(told "$place is not a folder." "$place 不是文件夹。")"
[ -r "$folder" ] && [ -x "$folder" ] || fail "$(told "$place cannot be read." "无法读取 $place。")"
find --version >/dev/null 2>&1 ||
  fail "$(told 'This needs GNU find; install the package findutils.' '这需要 GNU find：请安装 findutils。')"

days=$((10#$days)) count=$((10#$count))
since=$(($(date +%s) - days * 86400))
hidden=()
[ "$include_hidden" = true ] || hidden=(-name '.*' -prune -o)

log=$(mktemp) || fail "$(told 'No temporary file can be made.' '无法建立临时文件。')"
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
  summary=$(told "No file in $place changed in $in_days." "最近 $days 天 $place 里没有文件改动过。")
else
  summary=$(told "$(plural "$found" file files) in $place changed in $in_days; the newest is $newest." \
    "最近 $days 天 $place 里有 $found 个文件改动过，最新的是 $newest。")
fi
[ "$unreadable" -eq 0 ] ||
  summary+=$(told " $(plural "$unreadable" place places) could not be read." "有 $unreadable 处无法读取。")
printf '{"summary": "%s", "files_found": %d, "files": [%s]}\n' "$summary" "$found" "$rows"
