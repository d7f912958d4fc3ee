// Command dist makes what a release consists of: archives for every system, packages of Linux, a formula of Homebrew, and
// checksums. The same commit gives the same bytes, on any machine with the same Go.
//
//	go run ./cmd/dist [-to DIR] [-home URL]
//
// Everything is dated by the commit, owned by root, and in the order of names.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/statusline"
)

// platform is a system that a release is built for.
type platform struct{ os, arch string }

var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}}

// release is what all parts of a release have in common.
type release struct {
	to      string // the directory that the files go to
	work    string // a directory for what is in between
	home    string // the project's address
	version string
	commit  string
	date    time.Time
}

func main() {
	to := flag.String("to", "dist", "put the files into this `directory`, which is made anew")
	home := flag.String("home", "https://gatehouse.example", "the project's `address`; the formula takes the archives from releases/download/vVERSION below it")
	flag.Parse()
	if err := run(*to, *home); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func run(to, home string) error {
	commit, err := output("git", "rev-parse", "--short=12", "HEAD")
	if err != nil {
		return fmt.Errorf("a release is made of a commit: %w", err)
	}
	seconds, err := output("git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	epoch, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("the date of the commit: %w", err)
	}
	if changed, err := output("git", "status", "--porcelain"); err != nil || changed != "" {
		return fmt.Errorf("the working tree differs from the commit; commit or stash first\n%s", changed)
	}
	work, err := os.MkdirTemp("", "dist")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r := &release{to: to, work: work, home: home, version: statusline.Version, commit: commit, date: time.Unix(epoch, 0).UTC()}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	return r.make()
}

// make makes all files of the release.
func (r *release) make() error {
	common, err := r.common()
	if err != nil {
		return err
	}
	for _, p := range platforms {
		programs, err := r.build(p)
		if err != nil {
			return err
		}
		files := append(slices.Clone(common), programs...)
		if err := r.archive(p, files); err != nil {
			return err
		}
		if p.os == "linux" {
			if err := r.packages(p, files); err != nil {
				return err
			}
		}
	}
	if err := r.formula(); err != nil {
		return err
	}
	return r.sums()
}

// build builds both programs for a system.
func (r *release) build(p platform) ([]file, error) {
	fmt.Println("build", p.os, p.arch)
	dir := filepath.Join(r.work, p.os+"-"+p.arch)
	mode, end := "default", ""
	switch p.os {
	case "linux":
		mode = "exe" // static and not position-independent starts faster; elsewhere the linker decides
	case "windows":
		end = ".exe"
	}
	var files []file
	for _, program := range []string{"gatehouse", "statusline"} {
		out := filepath.Join(dir, program+end)
		cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-buildmode="+mode, "-ldflags", "-s -w -X gatehouse/statusline.Commit="+r.commit, "-o", out, "./cmd/"+program)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch)
		if err := loud(cmd); err != nil {
			return nil, err
		}
		files = append(files, file{source: out, name: program + end, to: "/usr/bin/" + program, mode: 0o755})
	}
	return files, nil
}

// common makes the files that are the same for every system: manual pages, completions and texts.
func (r *release) common() ([]file, error) {
	man := filepath.Join(r.work, "man")
	cmd := exec.Command("go", "run", "-tags", "man", "./cmd/gatehouse", "man", man)
	cmd.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.date.Unix()))
	if err := loud(cmd); err != nil {
		return nil, err
	}
	pages, err := filepath.Glob(filepath.Join(man, "*.1"))
	if err != nil {
		return nil, err
	}
	var files []file
	for _, page := range pages {
		name := filepath.Base(page)
		files = append(files, file{source: page, name: path.Join("man", name), to: "/usr/share/man/man1/" + name, mode: 0o644})
	}
	for _, c := range completions {
		script, err := output("go", "run", "./cmd/gatehouse", "completion", c.shell)
		if err != nil {
			return nil, err
		}
		source := filepath.Join(r.work, path.Base(c.to))
		if err := os.WriteFile(source, []byte(script+"\n"), 0o644); err != nil {
			return nil, err
		}
		files = append(files, file{source: source, name: "completions/" + c.name, to: c.to, mode: 0o644})
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		files = append(files, file{source: name, name: name, to: "/usr/share/doc/gatehouse/" + name, mode: 0o644})
	}
	return files, nil
}

// completions are the scripts that a package installs: of which shell, by which name in an archive, and where to.
var completions = []struct{ shell, name, to string }{
	{"bash", "gatehouse.bash", "/usr/share/bash-completion/completions/gatehouse"},
	{"zsh", "_gatehouse", "/usr/share/zsh/vendor-completions/_gatehouse"},
	{"fish", "gatehouse.fish", "/usr/share/fish/vendor_completions.d/gatehouse.fish"},
}

// base returns the name of an archive or package without its ending.
func (r *release) base(p platform) string {
	return "gatehouse_" + r.version + "_" + p.os + "_" + p.arch
}

// sums writes the checksums of all files, in the form that sha256sum -c reads.
func (r *release) sums() error {
	entries, err := os.ReadDir(r.to)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, e := range entries {
		sum, err := sumOf(filepath.Join(r.to, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, e.Name())
	}
	return os.WriteFile(filepath.Join(r.to, "SHA256SUMS"), b.Bytes(), 0o644)
}

func sumOf(name string) (string, error) {
	content, err := os.ReadFile(name)
	return fmt.Sprintf("%x", sha256.Sum256(content)), err
}

// output runs a program and returns what it prints, without the last line end.
func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return strings.TrimRight(string(out), "\n"), nil
}

// loud runs a program whose output is for people.
func loud(cmd *exec.Cmd) error {
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return nil
}
