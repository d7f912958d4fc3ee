package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// nfpm makes packages of Linux. It is run at an exact version and no part of the program.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0"

const (
	description = "What your coding agents are building, and what waits for you"
	licence     = "MIT"
)

// packages makes the packages of a system of Linux: for Debian, Red Hat and Alpine.
func (r *release) packages(p platform, files []file) error {
	type entry = map[string]any
	var contents []entry
	for _, f := range sorted(files) {
		contents = append(contents, entry{"src": f.source, "dst": f.to, "file_info": entry{"mode": int(f.mode), "mtime": r.date}})
	}
	config, err := yaml.Marshal(entry{
		"name": "gatehouse", "arch": p.arch, "platform": p.os, "version": r.version, "section": "utils", "priority": "optional",
		"maintainer": "The Gatehouse authors <authors@gatehouse.example>", "description": description, "homepage": r.home, "license": licence,
		"mtime": r.date, "contents": contents, "rpm": entry{"buildhost": "localhost"},
	})
	if err != nil {
		return err
	}
	name := filepath.Join(r.work, "nfpm-"+p.arch+".yaml")
	if err := os.WriteFile(name, config, 0o644); err != nil {
		return err
	}
	for _, kind := range []string{"deb", "rpm", "apk"} {
		cmd := exec.Command("go", "run", nfpm, "package", "--config", name, "--packager", kind, "--target", filepath.Join(r.to, r.base(p)+"."+kind))
		cmd.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.date.Unix()))
		if err := loud(cmd); err != nil {
			return err
		}
	}
	return nil
}

// formula writes the formula of Homebrew, by the archives' checksums.
func (r *release) formula() error {
	var b strings.Builder
	fmt.Fprintf(&b, `class Gatehouse < Formula
  desc %q
  homepage %q
  version %q
  license %q
`, description, r.home, r.version, licence)
	for _, system := range []struct{ block, os string }{{"macos", "darwin"}, {"linux", "linux"}} {
		fmt.Fprintf(&b, "\n  on_%s do\n", system.block)
		for _, machine := range []struct{ block, arch string }{{"arm", "arm64"}, {"intel", "amd64"}} {
			name := r.base(platform{system.os, machine.arch}) + ".tar.gz"
			sum, err := sumOf(filepath.Join(r.to, name))
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "    on_%s do\n      url %q\n      sha256 %q\n    end\n", machine.block, r.home+"/releases/download/v"+r.version+"/"+name, sum)
		}
		b.WriteString("  end\n")
	}
	b.WriteString(`
  def install
    bin.install "gatehouse", "statusline"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/gatehouse.bash" => "gatehouse"
    zsh_completion.install "completions/_gatehouse"
    fish_completion.install "completions/gatehouse.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/gatehouse --version")
    assert_match version.to_s, shell_output("#{bin}/statusline --version")
  end
end
`)
	return os.WriteFile(filepath.Join(r.to, "gatehouse.rb"), []byte(b.String()), 0o644)
}
