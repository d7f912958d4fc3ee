package setup

// The plugin of opencode: a file of ours alone.

import (
	_ "embed"
	"errors"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/doc"
)

//go:embed plugin.js
var pluginText string

// pluginHead is the first line of the plugin: a file that begins so is ours.
var pluginHead = pluginText[:strings.IndexByte(pluginText, '\n')+1]

// errForeign says that another file stands where the plugin belongs.
var errForeign = errors.New("it is not gatehouse's plugin; move it away, or give it another name")

// plugin returns the text of the plugin that calls a program.
func plugin(program string) string {
	return strings.Replace(pluginText, `"gatehouse"`, doc.QuoteJSON(program), 1)
}

func installPlugin(was, program string) (string, []model.Span, error) {
	switch is := plugin(program); {
	case was != "" && !strings.HasPrefix(was, pluginHead):
		return "", nil, errForeign
	case was != is:
		return was, []model.Span{{Old: was, New: is, Label: "the plugin"}}, nil
	}
	return was, nil, nil
}

func uninstallPlugin(was string) (string, []model.Span, error) {
	switch {
	case was == "":
		return "", nil, nil
	case !strings.HasPrefix(was, pluginHead):
		return "", nil, errForeign
	}
	return was, []model.Span{{Old: was, Label: "the plugin"}}, nil
}
