package statusline

// bashIntegration fills a variable in PROMPT_COMMAND and names it in PS1: bash expands the name once, and never its
// value. It works from bash 3.2 on, with any set and shopt options, and in POSIX mode.
//
// The line is kept until a file that it depends on changes. bash can compare two modification times without starting a
// process, but not read one; so the shell writes an empty file of its own just before the program runs, and the line is
// valid while that file is newer than everything else. Equal is not newer: the clock of a file system may be coarse.
// Without a directory of the user's own there is no such file, and the program runs at each prompt; after ten seconds
// it always does, for changes that leave no newer time, such as cp -p.
const bashIntegration = `# The line of statusline, above the prompt. To have it elsewhere, put ${statusline_text-} into PS1 yourself.
__statusline_program=@PROGRAM@
__statusline_key= __statusline_time=0 __statusline_above= __statusline_stamp= statusline_text=
__statusline_watch=()

__statusline_hook() {
    local __statusline_was=$? key fresh= out rest entry now stamp=$__statusline_stamp
    key="$PWD|${COLUMNS-}|${TERM-}|${NO_COLOR-}|${CLICOLOR_FORCE-}|${FORCE_COLOR-}|${GATEHOUSE_LOOPS-}"
    if [[ $key == "$__statusline_key" && ${SECONDS:-0} -ge $__statusline_time && ${SECONDS:-0} -lt $((__statusline_time + 10)) ]]; then
        fresh=yes
        for entry in "${__statusline_watch[@]}"; do
            case $entry in
            +*) [[ -e ${entry#?} && $stamp -nt ${entry#?} ]] || fresh= ;;
            @*) # keep until then; without a clock, not at all
                now=${EPOCHSECONDS-}
                [[ -n $now ]] || printf -v now '%(%s)T' -1 2>/dev/null || now=
                case $now in
                '' | *[!0-9]*) fresh= ;;
                *) [[ $now -lt ${entry#?} ]] || fresh= ;;
                esac
                ;;
            *) [[ ! -e ${entry#?} ]] || fresh= ;;
            esac
            [[ -n $fresh ]] || break
        done
    fi
    if [[ -z $fresh ]]; then
        __statusline_key= __statusline_time=${SECONDS:-0}
        if [[ -n $stamp && ! -L $stamp ]] && { printf '' >|"$stamp"; } 2>/dev/null; then __statusline_key=$key; fi
        out=$(COLUMNS=${COLUMNS-} GOMAXPROCS=1 "$__statusline_program" --shell bash --alerts --watch-list 2>/dev/null) || out=
        statusline_text=${out%%$'\n'*}
        rest=${out#"$statusline_text"}
        __statusline_watch=()
        while [[ -n $rest ]]; do
            rest=${rest#?}
            entry=${rest%%$'\n'*}
            rest=${rest#"$entry"}
            __statusline_watch+=("$entry")
        done
        [[ ${#__statusline_watch[@]} -gt 0 ]] || __statusline_key=
        __statusline_above=
        [[ -z $statusline_text ]] || __statusline_above=$statusline_text$'\n'
    fi
    if shopt -q promptvars; then
        case ${PS1-} in
        *__statusline_above* | *statusline_text*) ;;
        *) PS1='${__statusline_above-}'${PS1-} ;;
        esac
    else # PS1 may name no variables, so the line is printed above it
        PS1=${PS1//'${__statusline_above-}'/}
        printf '%s' "${__statusline_above//[$'\001\002']/}"
    fi
    case $- in *e*) return 0 ;; esac # anything else would end the shell
    return "$__statusline_was"
}

__statusline_setup() {
    local dir file
    for dir in "${XDG_RUNTIME_DIR-}" "${TMPDIR-}" "${HOME-}/.cache"; do
        if [[ -d $dir && -O $dir && -w $dir ]]; then
            __statusline_stamp=$dir/statusline.bash.$$
            break
        fi
    done
    if [[ -n $__statusline_stamp ]]; then # shells that are gone have left theirs behind
        for file in "$dir"/statusline.bash.*; do
            case ${file##*.} in
            *[!0-9]*) ;;
            *) kill -0 "${file##*.}" 2>/dev/null || rm -f -- "$file" ;;
            esac
        done
    fi
    case "${PROMPT_COMMAND[*]-}" in
    *__statusline_hook*) return 0 ;;
    esac
    case ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}:$(declare -p PROMPT_COMMAND 2>/dev/null) in
    [1-4].*:* | 5.0:*) ;;
    *:'declare -a'*)
        PROMPT_COMMAND+=(__statusline_hook)
        return 0
        ;;
    esac
    PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}__statusline_hook
}
__statusline_setup
unset -f __statusline_setup
`
