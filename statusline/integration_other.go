package statusline

// tmuxIntegration runs the program as a job of the status line. The directory's name reaches a shell: q: quotes it for
// one, except for a line break and its like, which s: puts "_" for. A class of characters would need a colon, which ends s:.
const tmuxIntegration = `# The line of statusline in tmux's status line: for ~/.tmux.conf. It is made again every five seconds.
set -g status-interval 5
set -g status-right-length 120
set -g status-right "#(GOMAXPROCS=1 @PROGRAM@ --shell tmux --alerts --dir #{s|[\001-\037]|_|;q:pane_current_path}) "
`

// starshipIntegration is a custom module. starship would start the user's shell for it, with all that the shell reads at
// its start; sh reads nothing.
const starshipIntegration = `# The line of statusline as a module of starship: for ~/.config/starship.toml. With a format of your own, add
# ${custom.statusline} to it.
[custom.statusline]
description = "where the build in this directory stands"
command = "GOMAXPROCS=1 @PROGRAM@ --shell starship --alerts"
shell = ["sh"]
when = true
style = "dimmed"
format = "[$output]($style) "
`

const claudeIntegration = `{
  "statusLine": {
    "type": "command",
    "command": "GOMAXPROCS=1 @PROGRAM@ --shell claude",
    "padding": 0,
    "refreshInterval": 10
  }
}
`
