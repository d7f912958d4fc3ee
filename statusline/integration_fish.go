package statusline

// fishIntegration prints the line before the output of fish_prompt; fish expands neither. The line is made once before
// each prompt, and not each time the prompt is drawn.
const fishIntegration = `# The line of statusline, above the prompt. To have it elsewhere, print $statusline_text in fish_prompt yourself.
set -g __statusline_program @PROGRAM@
set -g statusline_text

function __statusline_refresh --on-event fish_prompt
    set -l out (COLUMNS=$COLUMNS GOMAXPROCS=1 $__statusline_program --shell fish --alerts 2>/dev/null)
    set -g statusline_text "$out[1]"
    return 0
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
