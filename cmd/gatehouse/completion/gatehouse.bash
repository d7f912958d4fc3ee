# bash completion for gatehouse and statusline
#
# Nothing that stands on the command line is ever evaluated: it may be the name of a gate or of a directory, which others
# have chosen. Quotes are taken off here; variables and substitutions are passed on as they are typed.

# __gatehouse_split splits the start of a command line into words, without their quotes.
__gatehouse_split() {
    local rest=$1 word='' open='' part
    words=()
    while [[ -n $rest ]]; do
        case $rest in
        [[:space:]]*)
            [[ -n $open ]] && words+=("$word")
            word='' open='' rest=${rest:1}
            ;;
        \\*)
            word+=${rest:1:1} open=1 rest=${rest:2}
            ;;
        \'*)
            part=${rest:1}
            part=${part%%\'*}
            word+=$part open=1 rest=${rest:${#part}+2}
            ;;
        \"*)
            open=1 rest=${rest:1}
            while [[ -n $rest && $rest != \"* ]]; do
                part=${rest%%[\"\\]*}
                rest=${rest:${#part}}
                [[ $rest == \\* ]] && part+=${rest:1:1} rest=${rest:2}
                word+=$part
            done
            rest=${rest:1}
            ;;
        *)
            part=${rest%%[[:space:]\\\'\"]*}
            word+=$part open=1 rest=${rest:${#part}}
            ;;
        esac
    done
    words+=("$word")
}

# __gatehouse_list puts names with what they are into COMPREPLY, for a list that is shown and not typed in.
__gatehouse_list() {
    local line name longest=0
    for line in "${found[@]}"; do
        name=${line%%$'\t'*}
        ((${#name} > longest)) && longest=${#name}
    done
    for line in "${found[@]}"; do
        name=${line%%$'\t'*}
        if [[ $line == *$'\t'* ]]; then
            printf -v name '%-*s  (%s)' "$longest" "$name" "${line#*$'\t'}"
            ((COLUMNS > 8 && ${#name} > COLUMNS - 2)) && name=${name:0:COLUMNS-3}…
        fi
        COMPREPLY+=("$name")
    done
}

__gatehouse() {
    local words program value line directive='' cut='' found=()
    __gatehouse_split "${COMP_LINE:0:COMP_POINT}"
    program=${words[0]}
    [[ ${program##*/} == statusline ]] && words=(gatehouse "${words[@]}") program=gatehouse words[1]=statusline
    [[ $program == '~/'* ]] && program=$HOME/${program:2}
    type -P -- "$program" >/dev/null || program=gatehouse # an alias
    value=${words[${#words[@]} - 1]}
    [[ $value == -*=* ]] && value=${value#*=}

    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        :*) directive=${line:1} ;;
        "$value"*) found+=("$line") ;;
        esac
    done <<<"$(command "$program" __complete "${words[@]:1}" 2>/dev/null)"
    case $directive in
    '' | *[!0-9]*) return ;;
    esac

    # 4: nothing but these; 8: the names are endings of files; 16: directories besides.
    ((directive & 8)) && return
    if [[ $(type -t compopt) == builtin ]]; then # bash 4
        ((directive & 4)) && compopt +o default
        ((directive & 16)) && compopt -o plusdirs +o default
    fi
    if ((COMP_TYPE == 63 && ${#found[@]} > 1)); then
        __gatehouse_list
        return
    fi
    # Where bash takes "=" and ":" for the ends of words it wants only what follows them.
    [[ $value == *:* && $COMP_WORDBREAKS == *:* ]] && cut=${value%"${value##*:}"}
    for line in "${found[@]}"; do
        line=${line%%$'\t'*}
        COMPREPLY+=("${line#"$cut"}")
    done
}

complete -o default -F __gatehouse gatehouse statusline
