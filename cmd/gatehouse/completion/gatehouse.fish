# fish completion for gatehouse and statusline
#
# Nothing that stands on the command line is ever evaluated: it may be the name of a gate or of a directory, which others
# have chosen. fish itself takes off the quotes.

function __gatehouse_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct | string collect)
    set -l word (string unescape -- "$typed" | string collect)
    or set word "$typed"
    if test (string replace -r '.*/' '' -- $words[1]) = statusline
        set words gatehouse statusline $words[2..-1]
    end
    set -l program $words[1]
    string match -q '~/*' -- $program
    and set program $HOME/(string sub -s 3 -- $program)
    command -q -- $program
    or set program gatehouse # an alias

    set -l found (command $program __complete $words[2..-1] "$word" 2>/dev/null)
    string match -qr '^:[0-9]+$' -- $found[-1]
    or return
    set -l directive (string sub -s 2 -- $found[-1])
    set -e found[-1]

    # The value of --flag=value begins behind the flag, which what is offered has to repeat.
    set -l flag (string match -r -- '^-[^=]*=' "$typed")
    set -l path (string sub -s (math 1 + (string length -- "$flag")) -- "$typed")
    set -l offered

    # 4: nothing but these; 8: the names are endings of files; 16: directories besides.
    if test (math "floor($directive / 8) % 2") = 1
        set offered (complete -C"__gatehouse_no_such_command $path")
    else if test (math "floor($directive / 16) % 2") = 1
        set offered $found (__fish_complete_directories "$path")
    else if test (math "floor($directive / 4) % 2") = 1; or set -q found[1]
        set offered $found
    else
        set offered (complete -C"__gatehouse_no_such_command $path")
    end
    set -q offered[1]
    and printf '%s\n' "$flag"$offered
end

complete -c gatehouse -e
complete -c gatehouse -f -a '(__gatehouse_complete)'
complete -c statusline -e
complete -c statusline -f -a '(__gatehouse_complete)'
