package statusline

// bashIntegration fills a variable in PROMPT_COMMAND and names it in PS1: bash expands the name once, and never its
// value. It works from bash 3.2 on, with any set and shopt options, and in POSIX mode.
const bashIntegration = `# The line of statusline, above the prompt. To have it elsewhere, put ${statusline_text-} into PS1 yourself.
__statusline_program=@PROGRAM@
__statusline_above= statusline_text=

__statusline_hook() {
    local __statusline_was=$?
    statusline_text=$(COLUMNS=${COLUMNS-} GOMAXPROCS=1 "$__statusline_program" --shell bash --alerts 2>/dev/null) || statusline_text=
    __statusline_above=
    [[ -z $statusline_text ]] || __statusline_above=$statusline_text$'\n'
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
