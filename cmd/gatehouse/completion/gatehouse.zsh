#compdef gatehouse statusline
# zsh completion for gatehouse and statusline
#
# Nothing that stands on the command line is ever evaluated: it may be the name of a gate or of a directory, which others
# have chosen. Quotes are taken off by ${(Q)…}, which expands nothing.

_gatehouse() {
    local program line directive name tab=$'\t' ret=1
    local -a typed found described
    program=${(Q)words[1]}
    [[ $program == '~/'* ]] && program=$HOME/${program[3,-1]}
    whence -p -- "$program" >/dev/null || program=gatehouse # an alias
    typed=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
    [[ ${program:t} == statusline ]] && program=gatehouse typed=(statusline "${(@)typed}")

    while IFS= read -r line; do
        case $line in
        (:*) directive=${line#:} ;;
        (*) found+=("$line") ;;
        esac
    done < <(command "$program" __complete "${typed[@]}" 2>/dev/null)
    [[ $directive == <-> ]] || return 1
    compset -P 1 '-*='

    # 4: nothing but these; 8: the names are endings of files; 16: directories besides.
    if ((directive & 8)); then
        _files -g "*.(${(j:|:)found})(-.)"
        return
    fi
    for line in $found; do
        name=${line%%$tab*}
        described+=("${name//:/\\:}${line#"$name"}")
    done
    described=("${(@)described/$tab/:}")
    ((${#described})) && _describe -t names 'name' described && ret=0
    if ((directive & 16)); then
        _files -/ && ret=0
    elif ((ret && !(directive & 4))); then
        _files && ret=0
    fi
    return ret
}

# Loaded by its name it completes, sourced it only says what for.
if [[ $funcstack[1] == _gatehouse ]]; then
    _gatehouse "$@"
else
    compdef _gatehouse gatehouse statusline
fi
