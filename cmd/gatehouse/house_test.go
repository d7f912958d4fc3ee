package main

// ARCHITECTURE.md lists the packages of the code, and the imports that each may have.

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// matches reports whether a pattern of the table includes a package.
func matches(pattern, pkg string) bool {
	if top, ok := strings.CutSuffix(pattern, "/..."); ok {
		return pkg == top || strings.HasPrefix(pkg, top+"/")
	}
	return pkg == pattern
}

func TestImportsMatchMap(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| package | may import |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	span := regexp.MustCompile("`([^`]+)`")
	names := func(cell string) (all []string) {
		for _, m := range span.FindAllStringSubmatch(cell, -1) {
			all = append(all, m[1])
		}
		return all
	}
	type row struct{ packages, may []string }
	var rows []row
	for l := range strings.Lines(table) {
		cells := strings.Split(l, "|")
		rows = append(rows, row{names(cells[1]), names(cells[2])})
	}
	if len(rows) < 20 {
		t.Fatalf("ARCHITECTURE.md has %d rows of who may import whom", len(rows))
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "gatehouse/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, drawn, _ := strings.Cut(string(text), "```\n")
	drawn, _, _ = strings.Cut(drawn, "```\n")
	used := map[string]bool{}
	for l := range strings.Lines(string(out)) {
		all := strings.Fields(l)
		pkg := strings.TrimPrefix(all[0], "gatehouse/")
		if !strings.Contains(drawn, pkg[strings.LastIndexByte(pkg, '/')+1:]) {
			t.Errorf("%s is not on the map", pkg)
		}
		i := slices.IndexFunc(rows, func(r row) bool {
			return slices.ContainsFunc(r.packages, func(p string) bool { return matches(p, pkg) })
		})
		if i < 0 {
			t.Errorf("the table does not say what %s may import", pkg)
			continue
		}
		for _, p := range rows[i].packages {
			used[p] = used[p] || matches(p, pkg)
		}
		for _, imported := range all[1:] {
			imported, ours := strings.CutPrefix(imported, "gatehouse/")
			if !ours {
				continue
			}
			allowed := false
			for _, may := range rows[i].may {
				if matches(may, imported) {
					allowed, used[rows[i].packages[0]+" "+may] = true, true
				}
			}
			if !allowed {
				t.Errorf("%s imports %s, which the table does not allow", pkg, imported)
			}
		}
	}
	for _, r := range rows {
		for _, p := range r.packages {
			if !used[p] {
				t.Errorf("the table names %s, but no package needs this row", p)
			}
		}
		for _, may := range r.may {
			if !used[r.packages[0]+" "+may] {
				t.Errorf("the table allows %s to import %s, and it does not", r.packages[0], may)
			}
		}
	}
}

// TestNoBuiltFilesAreCommitted checks that no committed file is so large that it must be a built program.
func TestNoBuiltFilesAreCommitted(t *testing.T) {
	const limit = 1 << 20
	out, err := exec.Command("git", "-C", "../..", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("this is not a checkout of the repository: ", err)
	}
	for name := range strings.SplitSeq(string(out), "\x00") {
		if info, err := os.Lstat("../../" + name); err == nil && info.Mode().IsRegular() && info.Size() > limit {
			t.Errorf("%s has %d bytes: remove it with git rm --cached, or list it in .gitignore", name, info.Size())
		}
	}
}
