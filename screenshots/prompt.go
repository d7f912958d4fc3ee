package main

// This file draws the picture of the prompt: a shell at several moments.

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"gatehouse/cmd/gatehouse/demo"
	"gatehouse/parse/nearest"
	"gatehouse/statusline"
)

// promptWidth is the width of the shell's window in columns.
const promptWidth = 68

// moments are the commands of the shell's user, and their times in the build.
var moments = []struct {
	mark  string
	typed string
}{
	{demo.MarkStart, "git pull --quiet"},
	{demo.MarkQuestion, "gatehouse"},
	{"", "\x1b[7m \x1b[27m"},
}

// drawPrompt draws a shell whose prompt has the build's line above it.
func drawPrompt(ctx context.Context, temp string) (file, error) {
	sink, ok := statusline.SinkNamed("plain")
	if !ok {
		return file{}, fmt.Errorf("statusline has no plain form any more")
	}
	rows := ""
	var page statusline.Page
	for _, m := range moments {
		home := filepath.Join(temp, "prompt-"+m.mark)
		dir := filepath.Join(home, shown)
		if _, err := playUntil(ctx, home, demo.Options{Only: shown, Until: m.mark}, nil); err != nil {
			return file{}, err
		}
		line := page.Line(nearest.Place{Dir: dir, Home: home}, statusline.Options{Sink: sink}).Text
		rows += "\n \x1b[2m" + strings.TrimSuffix(string(line), "\n") + "\x1b[22m\n" +
			" \x1b[34m~/" + shown + "\x1b[39m \x1b[32m❯\x1b[39m " + m.typed + "\n"
	}
	s, err := parseRows(rows, promptWidth)
	if err != nil {
		return file{}, err
	}
	return file{"prompt", drawSVG(&dark, window{"zsh", "A shell whose prompt says where the build stands, at three moments."}, still{screen: s})}, nil
}
