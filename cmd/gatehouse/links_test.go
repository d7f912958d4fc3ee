package main

// Links and names in the documentation lead to existing pages, sections, pictures, tests and files.

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// anchorOf returns the anchor of a heading, as GitHub makes it.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

func TestLinksInDocs(t *testing.T) {
	const top = "../.."
	texts := map[string]string{}
	for _, name := range append(docFiles(t), top+"/README.md", top+"/ARCHITECTURE.md", top+"/CONTRIBUTING.md", top+"/CHANGELOG.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Clean(name)] = string(text)
	}
	makefile, err := os.ReadFile(top + "/Makefile")
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	walkSource(t, func(path, text string) { source.WriteString(text) })
	heading, link := regexp.MustCompile(`(?m)^#+ (.*)$`), regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for name, text := range texts {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			path, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(path, "://") {
				continue
			}
			to := name
			if path != "" {
				to = filepath.Join(filepath.Dir(name), path)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %s does not exist", name, m[1])
				continue
			}
			found := anchor == ""
			target, _ := os.ReadFile(to) // nothing for a directory
			for _, h := range heading.FindAllStringSubmatch(string(target), -1) {
				found = found || anchorOf(h[1]) == anchor
			}
			if !found {
				t.Errorf("%s: %s has no section %q", name, to, anchor)
			}
		}
		if strings.HasSuffix(name, "CHANGELOG.md") { // it names removed things
			continue
		}
		for _, m := range regexp.MustCompile("(?m)(?:^    |`)make ([a-z][a-z-]*)").FindAllStringSubmatch(text, -1) {
			if !strings.Contains(string(makefile), "\n"+m[1]+":") {
				t.Errorf("%s: there is no make %s", name, m[1])
			}
		}
		for _, m := range regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Za-z]\\w+)").FindAllStringSubmatch(text, -1) {
			if !strings.Contains(source.String(), "func "+m[1]) {
				t.Errorf("%s: there is no test %s", name, m[1])
			}
		}
		for _, m := range regexp.MustCompile("`((?:cmd|model|parse|screenshots|statusline|tui|docs)/[\\w./]+)`").FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(top, strings.TrimSuffix(m[1], "/..."))); err != nil {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
	for name := range texts { // readers start at one of these
		front := top + "/README.md"
		if strings.Contains(name, "development") {
			front = top + "/CONTRIBUTING.md"
		}
		if relative, ok := strings.CutPrefix(filepath.ToSlash(name), top+"/docs/"); ok && !strings.Contains(texts[filepath.Clean(front)], "docs/"+relative) {
			t.Errorf("%s has no link to %s", front, name)
		}
	}
}
