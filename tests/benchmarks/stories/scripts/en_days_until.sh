#!/bin/sh
# /// partner
# description = "Count the days until a date"
# annotations = { readOnlyHint = true, openWorldHint = false }
# [params.date]
# type = "string"
# format = "date"
# description = "the day to count to"
# ///
for a in "$@"; do case "$a" in --date=*) d="${a#--date=}";; esac; done
echo "days until $d: $(( ($(date -u -d "$d" +%s) - $(date -u -d "$(date +%F)" +%s)) / 86400 ))"
