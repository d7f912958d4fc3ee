package statusline

// fishIntegration prints the line before the output of fish_prompt; fish expands neither.
//
// The line is made once before each prompt, and not each time the prompt is drawn. It is kept as in bash: while a file
// of the shell's own, written just before the program ran, is newer than everything the line depends on. fish has no
// clock without a process, so the program runs at every twentieth prompt in any case.
const fishIntegration = `# The line of statusline, above the prompt. To have it elsewhere, print $statusline_text in fish_prompt yourself.
set -g __statusline_program @PROGRAM@
set -g __statusline_key
set -g __statusline_turns 0
set -g __statusline_present
set -g __statusline_absent
set -g __statusline_stamp
set -g statusline_text
for __statusline_dir in $XDG_RUNTIME_DIR $TMPDIR $HOME/.cache
    if test -d "$__statusline_dir"; and test -O "$__statusline_dir"; and test -w "$__statusline_dir"
        set -g __statusline_stamp "$__statusline_dir/statusline.fish.$fish_pid"
        break
    end
end
set -e __statusline_dir

function __statusline_fresh --argument-names key
    test -n "$__statusline_stamp"; and test "x$key" = "x$__statusline_key"; and test $__statusline_turns -lt 20
    or return 1
    for file in $__statusline_present
        test -e "$file"; and test "$__statusline_stamp" -nt "$file"
        or return 1
    end
    for file in $__statusline_absent
        test -e "$file"
        and return 1
    end
    return 0
end

function __statusline_refresh --on-event fish_prompt
    set -l key "$PWD|$COLUMNS|$TERM|$NO_COLOR|$CLICOLOR_FORCE|$FORCE_COLOR|$GATEHOUSE_LOOPS"
    set -g __statusline_turns (math $__statusline_turns + 1)
    __statusline_fresh "$key"
    and return 0
    set -g __statusline_turns 0
    set -g __statusline_key
    if test -n "$__statusline_stamp"; and not test -L "$__statusline_stamp"
        begin
            printf '' >"$__statusline_stamp"
            and set -g __statusline_key "$key"
        end 2>/dev/null
    end
    set -l out (COLUMNS=$COLUMNS GOMAXPROCS=1 $__statusline_program --shell fish --alerts --watch-list 2>/dev/null)
    set -g statusline_text "$out[1]"
    set -g __statusline_present
    set -g __statusline_absent
    for entry in $out[2..-1]
        switch $entry
            case '+*'
                set -a __statusline_present (string sub -s 2 -- $entry)
            case '-*'
                set -a __statusline_absent (string sub -s 2 -- $entry)
            case '@*' # keep until then: without a process nothing here tells the time, so not at all
                set -g __statusline_key
        end
    end
    if test (count $out) -lt 2
        set -g __statusline_key
    end
    return 0
end

function __statusline_forget --on-event fish_exit
    test -n "$__statusline_stamp"
    and command rm -f -- "$__statusline_stamp"
end

if not functions fish_prompt | string match -q '*statusline_text*'
    functions -e __statusline_prompt
    functions -c fish_prompt __statusline_prompt
    function fish_prompt
        set -l __statusline_shown (__statusline_prompt | string collect --no-trim-newlines)
        if test -n "$statusline_text"
            printf '%s\n' $statusline_text
        end
        printf '%s' $__statusline_shown
    end
end
`
