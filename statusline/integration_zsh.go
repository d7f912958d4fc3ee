package statusline

// zshIntegration puts the line into psvar and shows it in PROMPT as %9v, which expands nothing and makes control
// characters visible, regardless of options. So it has the color of the prompt around it and none of its own.
const zshIntegration = `# The line of statusline, above the prompt. To have it elsewhere, or in a color, put %9v into PROMPT or RPROMPT yourself:
# %F{8}%9v%f.
typeset -g __statusline_program=@PROGRAM@
typeset -ga precmd_functions

__statusline_precmd() {
    emulate -L zsh
    setopt unset no_err_exit no_err_return no_xtrace
    psvar[9]=$(COLUMNS=$COLUMNS GOMAXPROCS=1 "$__statusline_program" --shell plain --color never --alerts 2>/dev/null)
    if [[ $PROMPT$RPROMPT != *%9v* ]]; then PROMPT=$'%(9V.%9v\n.)'$PROMPT; fi
    return 0
}

__statusline_setup() {
    emulate -L zsh
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
