package main

import (
	"path/filepath"

	"gatehouse/parse"
)

// scopeOf returns where live agents are shown for the directories and files that are named, the current directory without any.
func scopeOf(dirs []string) (scope parse.AgentScope) {
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		if abs, err := filepath.Abs(dir); err == nil {
			scope.Below = append(scope.Below, abs)
		}
	}
	return scope
}
