package statusline

// zshIntegration puts the line into psvar and shows it in PROMPT as %9v, which expands nothing and makes control
// characters visible, regardless of options. So it has the color of the prompt around it and none of its own.
//
// The line is kept until a file that it depends on looks different: device, inode, mode, size, and the times of
// modification and change. The times are in seconds, and the clock of files may lag by a tick. So the line is kept only
// if everything was last changed two seconds or more before the program ran: a later change then has another second.
const zshIntegration = `# The line of statusline, above the prompt. To have it elsewhere, or in a color, put %9v into PROMPT or RPROMPT yourself:
# %F{8}%9v%f.
typeset -g __statusline_program=@PROGRAM@
typeset -g __statusline_key= __statusline_signature= __statusline_time=0 __statusline_cache=
typeset -ga __statusline_watch precmd_functions
__statusline_watch=()

# Sets reply to how the watched files look, and REPLY to the newest of their times.
__statusline_look() {
    local entry
    local -a s
    reply=() REPLY=0
    for entry in "${__statusline_watch[@]}"; do
        if [[ $entry == +* ]] && zstat -A s -- "${entry#?}" 2>/dev/null; then
            reply+=("$s[1]:$s[2]:$s[3]:$s[8]:$s[10]:$s[11]")
            if (( s[10] > REPLY )); then REPLY=$s[10]; fi
            if (( s[11] > REPLY )); then REPLY=$s[11]; fi
        elif [[ $entry == -* && ! -e ${entry#?} ]]; then
            reply+=(absent)
        elif [[ $entry == @<-> ]]; then # keep until then
            if (( ${EPOCHSECONDS-0} < ${entry#?} )); then reply+=(until); else reply+=("over:${EPOCHSECONDS-0}"); fi
        else
            reply+=(other)
        fi
    done
}

__statusline_precmd() {
    emulate -L zsh
    setopt unset no_err_exit no_err_return no_xtrace
    local key fresh= out now REPLY
    local -a reply lines
    key="$PWD|$COLUMNS|$TERM|$NO_COLOR|$CLICOLOR_FORCE|$FORCE_COLOR|$GATEHOUSE_LOOPS"
    if [[ $key == "$__statusline_key" ]] && (( SECONDS >= __statusline_time && SECONDS < __statusline_time + 10 )); then
        __statusline_look
        if [[ "$reply" == "$__statusline_signature" ]]; then fresh=yes; fi
    fi
    if [[ -z $fresh ]]; then
        now=${EPOCHSECONDS-0}
        out=$(COLUMNS=$COLUMNS GOMAXPROCS=1 "$__statusline_program" --shell plain --color never --alerts --watch-list 2>/dev/null)
        lines=("${(@f)out}")
        psvar[9]=$lines[1]
        __statusline_watch=("${(@)lines[2,-1]}")
        __statusline_key= __statusline_time=$SECONDS
        if [[ -n $__statusline_cache ]] && (( $#__statusline_watch )); then
            __statusline_look
            __statusline_signature="$reply"
            if (( now > REPLY + 1 )); then __statusline_key=$key; fi
        fi
    fi
    if [[ $PROMPT$RPROMPT != *%9v* ]]; then PROMPT=$'%(9V.%9v\n.)'$PROMPT; fi
    return 0
}

__statusline_setup() {
    emulate -L zsh
    if zmodload -F zsh/stat b:zstat 2>/dev/null && zmodload -F zsh/datetime p:EPOCHSECONDS 2>/dev/null; then
        __statusline_cache=yes
    fi
    if (( ! ${precmd_functions[(Ie)__statusline_precmd]} )); then precmd_functions+=(__statusline_precmd); fi
    return 0
}
__statusline_setup
unfunction __statusline_setup
`

// p10kIntegration is a segment of powerlevel10k, whose text is a prompt: "%" is doubled, and without -e nothing else is
// expanded.
const p10kIntegration = `# The line of statusline as a segment of powerlevel10k: for ~/.p10k.zsh, at its end.
function prompt_statusline() {
    emulate -L zsh
    local line
    line=$(GOMAXPROCS=1 @PROGRAM@ --shell plain --color never --alerts 2>/dev/null)
    if [[ -n $line ]]; then p10k segment -f 8 -t "${line//\%/%%}"; fi
}
typeset -ga POWERLEVEL9K_LEFT_PROMPT_ELEMENTS POWERLEVEL9K_RIGHT_PROMPT_ELEMENTS
if [[ " $POWERLEVEL9K_LEFT_PROMPT_ELEMENTS $POWERLEVEL9K_RIGHT_PROMPT_ELEMENTS " != *' statusline '* ]]; then
    POWERLEVEL9K_RIGHT_PROMPT_ELEMENTS=(statusline "${POWERLEVEL9K_RIGHT_PROMPT_ELEMENTS[@]}")
fi
`
