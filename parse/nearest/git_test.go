package nearest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFindGit(t *testing.T) {
	const commitName = "0123456789abcdef0123456789abcdef01234567"
	long := strings.Repeat("x", 3000)
	for name, c := range map[string]struct {
		files map[string]string
		dir   string
		want  Git
		ok    bool
	}{
		"branch":             {map[string]string{".git/HEAD": "ref: refs/heads/main\n"}, "", Git{Branch: "main"}, true},
		"from below":         {map[string]string{".git/HEAD": "ref: refs/heads/fix/a-b\n", "a/b/c/": ""}, "a/b/c", Git{Branch: "fix/a-b"}, true},
		"deep":               {map[string]string{".git/HEAD": "ref: refs/heads/main\n", strings.Repeat("d/", 60): ""}, strings.Repeat("d/", 60), Git{Branch: "main"}, true},
		"detached":           {map[string]string{".git/HEAD": commitName + "\n"}, "", Git{Commit: "0123456"}, true},
		"detached, SHA-256":  {map[string]string{".git/HEAD": commitName + commitName[:24] + "\n"}, "", Git{Commit: "0123456"}, true},
		"reftable":           {map[string]string{".git/HEAD": "ref: refs/heads/.invalid\n"}, "", Git{}, true},
		"other reference":    {map[string]string{".git/HEAD": "ref: refs/bisect/bad\n"}, "", Git{Branch: "refs/bisect/bad"}, true},
		"no line break":      {map[string]string{".git/HEAD": "ref:refs/heads/x"}, "", Git{Branch: "x"}, true},
		"CR LF":              {map[string]string{".git/HEAD": "ref: refs/heads/x\r\n"}, "", Git{Branch: "x"}, true},
		"worktree":           {map[string]string{"w/.git": "gitdir: ../main/.git/worktrees/w\n", "main/.git/worktrees/w/HEAD": "ref: refs/heads/topic\n"}, "w", Git{Branch: "topic"}, true},
		"submodule":          {map[string]string{".git/modules/s/HEAD": commitName, "s/.git": "gitdir: ../.git/modules/s", "s/a/": ""}, "s/a", Git{Commit: "0123456"}, true},
		"nearest":            {map[string]string{".git/HEAD": "ref: refs/heads/outer\n", "a/.git/HEAD": "ref: refs/heads/inner\n"}, "a", Git{Branch: "inner"}, true},
		"long name":          {map[string]string{".git/HEAD": "ref: refs/heads/" + long + "\n"}, "", Git{Branch: long}, true},
		"empty .git above":   {map[string]string{".git/HEAD": "ref: refs/heads/outer\n", "a/.git/": ""}, "a", Git{Branch: "outer"}, true},
		"broken HEAD above":  {map[string]string{".git/HEAD": "ref: refs/heads/outer\n", "a/.git/HEAD": "nonsense"}, "a", Git{Branch: "outer"}, true},
		"HEAD out of refs":   {map[string]string{".git/HEAD": "ref: /etc/passwd"}, "", Git{}, false},
		"HEAD too large":     {map[string]string{".git/HEAD": "ref: refs/heads/" + strings.Repeat("x", 5000)}, "", Git{}, false},
		"no commit":          {map[string]string{".git/HEAD": commitName[:39] + "g"}, "", Git{}, false},
		"short commit":       {map[string]string{".git/HEAD": commitName[:7]}, "", Git{}, false},
		"no file of git":     {map[string]string{".git/HEAD": "ref: refs/heads/outer\n", "a/.git": "hello"}, "a", Git{}, false},
		"gitdir of nothing":  {map[string]string{"a/.git": "gitdir: \n"}, "a", Git{}, false},
		"gitdir to nowhere":  {map[string]string{".git/HEAD": "ref: refs/heads/outer\n", "a/.git": "gitdir: nowhere\n"}, "a", Git{}, false},
		"gitdir too large":   {map[string]string{"a/.git": "gitdir: " + strings.Repeat("x", 5000)}, "a", Git{}, false},
		"HEAD is a director": {map[string]string{"a/.git/HEAD/": ""}, "a", Git{}, false},
	} {
		root := tree(t, c.files)
		got, ok := FindGit(Place{Dir: filepath.Join(root, filepath.FromSlash(c.dir))})
		if got.Name = ""; got != c.want || ok != c.ok {
			t.Errorf("%s: %.100v, %v, want %.100v, %v", name, got, ok, c.want, c.ok)
		}
	}
	root := tree(t, map[string]string{"r/HEAD": "ref: refs/heads/far\n", "w/a/": ""})
	writeFile(t, filepath.Join(root, "w", ".git"), "gitdir: "+filepath.Join(root, "r")+"\n")
	if got, ok := FindGit(Place{Dir: filepath.Join(root, "w", "a")}); !ok || got.Branch != "far" {
		t.Errorf("absolute gitdir: %v, %v", got, ok)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o644))
}
