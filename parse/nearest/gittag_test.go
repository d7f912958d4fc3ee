package nearest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNearestTag holds the tag of a project against what git describes: in histories that part and join, with tags of both
// kinds, several on a commit and none, stored as files, packed, and by their differences.
func TestNearestTag(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git to be held against")
	}
	git := func(dir, input string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "init.defaultBranch=main", "-c", "gc.auto=0", "-c", "core.abbrev=40"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.Output()
		if err != nil && args[0] != "describe" {
			t.Fatalf("git %s: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	behind := 0
	for seed := range uint64(24) {
		dir := t.TempDir()
		format := "--object-format=sha1"
		if seed%8 == 7 {
			format = "--object-format=sha256"
		}
		git(dir, "", "init", "-q", format)
		git(dir, history(rand.New(rand.NewPCG(seed, 1))), "-c", fmt.Sprintf("fastimport.unpackLimit=%d", 1000*(seed%2)), "fast-import", "--quiet", "--force")
		check := func(stored string) {
			t.Helper()
			want := git(dir, "", "describe", "--tags", "--abbrev=0", "--match", "v*")
			if got := NearestTag(Place{}, dir); got != want {
				t.Errorf("seed %d, %s: %q, git says %q", seed, stored, got, want)
			}
			if want != "" && git(dir, "", "rev-parse", want+"^{commit}") != git(dir, "", "rev-parse", "HEAD") {
				behind++
			}
		}
		check("as imported")
		git(dir, "", "repack", "-adfq", "--depth=50", "--window=50")
		check("packed anew")
		git(dir, "", "pack-refs", "--all")
		check("with packed references")
		if seed%6 == 0 {
			want := git(dir, "", "describe", "--tags", "--abbrev=0", "--match", "v*")
			below, shared, twice := filepath.Join(dir, "services", "api"), filepath.Join(t.TempDir(), "shared"), filepath.Join(t.TempDir(), "twice")
			if err := os.MkdirAll(below, 0o755); err != nil {
				t.Fatal(err)
			}
			git(dir, "", "clone", "-q", "--shared", dir, shared)
			git(dir, "", "clone", "-q", "--shared", shared, twice)
			for _, at := range []string{below, shared, twice} {
				if got := NearestTag(Place{}, at); got != want {
					t.Errorf("seed %d, in %s: %q, git says %q", seed, filepath.Base(at), got, want)
				}
			}
		}
	}
	if behind < 30 {
		t.Errorf("only %d times is the tag behind what is checked out", behind)
	}
}

// history is a stream for git fast-import.
func history(random *rand.Rand) string {
	var b strings.Builder
	commits := 5 + random.IntN(60)
	every := 2 + random.IntN(20)
	const began = 1_700_000_000
	for i := 1; i <= commits; i++ {
		at := began + 100*i - random.IntN(500) // clocks differ
		message := fmt.Sprintf("Change %d\n\n%s", i, strings.Repeat("The same words. ", random.IntN(200)))
		fmt.Fprintf(&b, "commit refs/heads/main\nmark :%d\ncommitter A <a@example.org> %d +0100\ndata %d\n%s\n", i, at, len(message), message)
		if i > 1 {
			from := max(1, i-1-random.IntN(3))
			fmt.Fprintf(&b, "from :%d\n", from)
			if other := max(1, i-1-random.IntN(8)); other != from && random.IntN(3) == 0 {
				fmt.Fprintf(&b, "merge :%d\n", other)
			}
		}
		b.WriteByte('\n')
	}
	for i := 1; i <= commits; i++ {
		for random.IntN(every) == 0 {
			name := fmt.Sprintf("%s%d.%d", []string{"v", "v", "v", "w"}[random.IntN(4)], random.IntN(12), b.Len())
			if random.IntN(2) == 0 {
				fmt.Fprintf(&b, "reset refs/tags/%s\nfrom :%d\n\n", name, i)
			} else {
				fmt.Fprintf(&b, "tag %s\nfrom :%d\ntagger A <a@example.org> %d +0000\ndata 2\nx\n\n", name, i, began+random.IntN(5)*100)
			}
		}
	}
	return b.String()
}

// TestNearestTagOfWhatIsBroken holds that a repository whose objects say nothing has no version, or that of the commit itself.
func TestNearestTagOfWhatIsBroken(t *testing.T) {
	const (
		head  = "cd6f5a761120aead08c7b76a10091581bc953f3f"
		other = "0000000000000000000000000000000000000001"
	)
	for _, c := range []struct {
		name, want string
		files      map[string]string
	}{
		{"no repository", "", nil},
		{"loose", "v1.2.3", map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": head + "\n", ".git/refs/tags/v1.2.3": head + "\n", ".git/refs/tags/v9": other + "\n", ".git/refs/tags/nightly": head + "\n"}},
		{"an annotated one first", "v2", map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/packed-refs": "# pack-refs with: peeled\n" + head + " refs/heads/main\n" + head + " refs/tags/v1\n" + other + " refs/tags/v2\n^" + head + "\n" + other + " refs/tags/v3\n"}},
		{"the first by name", "v1", map[string]string{".git/HEAD": head, ".git/refs/tags/v1": head, ".git/refs/tags/v10": head}},
		{"a file goes before what is packed", "", map[string]string{".git/HEAD": head, ".git/refs/tags/v1": other, ".git/packed-refs": head + " refs/tags/v1\n"}},
		{"detached", "v1", map[string]string{".git/HEAD": head + "\n", ".git/refs/tags/v1": head}},
		{"an unborn branch", "", map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/refs/tags/v1": head}},
		{"a way out", "", map[string]string{".git/HEAD": "ref: refs/../../secret\n", "secret": head, ".git/refs/tags/v1": head}},
		{"a worktree", "v4", map[string]string{".git": "gitdir: elsewhere\n", "elsewhere/HEAD": "ref: refs/heads/side\n", "elsewhere/commondir": "../common\n", "common/HEAD": "x", "common/refs/heads/side": head, "common/refs/tags/v4": head}},
		{"no object", "", map[string]string{".git/HEAD": head, ".git/refs/tags/v1": other, ".git/objects/" + head[:2] + "/" + head[2:]: "x"}},
		{"its own parent", "", map[string]string{".git/HEAD": head, ".git/refs/tags/v1": other, ".git/objects/" + head[:2] + "/" + head[2:]: compressed(t, "commit 9\x00parent "+head+"\nparent zz\nparent ../../x\n", 6)}},
		{"packs that are none", "", map[string]string{".git/HEAD": head, ".git/refs/tags/v1": other, ".git/objects/pack/a.idx": "x", ".git/objects/pack/b.idx": "\xfftOc\x00\x00\x00\x02" + strings.Repeat("\x00\x00\x00\x7f", 256)}},
	} {
		root := tree(t, c.files)
		if got := NearestTag(Place{}, root); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// FuzzPacked holds that no pack makes the reader panic, hang or take much memory.
func FuzzPacked(f *testing.F) {
	f.Add([]byte("\x9e\x0ax\x9c\x4b\x4c\x4a\x06\x00\x02\x4d\x01\x27"), "delta")
	f.Fuzz(func(t *testing.T, entry []byte, delta string) {
		if len(entry) > 0 {
			kind, size, end := entryHead(string(entry))
			if end > len(entry) || kind > 7 || size < 0 && end > 0 {
				t.Fatal(kind, size, end)
			}
			if _, end := offsetBack(string(entry), 0); end > len(entry) {
				t.Fatal(end)
			}
		}
		if out, _ := applied(delta, entry, headLimit); len(out) > headLimit {
			t.Fatal(len(out))
		}
	})
}
