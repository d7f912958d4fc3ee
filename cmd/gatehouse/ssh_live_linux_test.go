package main

// Builds on a machine that is reached through ssh, with the real ssh programs at both ends.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gatehouse/cmd/gatehouse/remote/hubtest"
)

// TestFleetOverSSH plays the use of a machine through ssh: connecting, viewing, deciding, answering.
func TestFleetOverSSH(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a real sshd")
	}
	t.Parallel()
	dir, err := Binary()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "gatehouse")
	there, here, tools := t.TempDir(), t.TempDir(), t.TempDir()
	shop := filepath.Join(there, "it's a shop")
	hubtest.WriteLoop(t, shop, 3)
	// A machine that prints a greeting, as many do, and whose shell prints text without a line feed.
	banner := filepath.Join(tools, "banner")
	server := StartSSH(t, "SetEnv HOME="+there+" GATEHOUSE_HOME_SET=1", "Banner "+banner, `ForceCommand printf 'Welcome. You have mail'; eval "$SSH_ORIGINAL_COMMAND"`)
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	config, known := filepath.Join(tools, "config"), filepath.Join(tools, "known")
	write(banner, "For staff only.\n")
	write(known, "")
	write(filepath.Join(tools, "ssh"), fmt.Sprintf("#!/bin/sh\nexec %s -F %s \"$@\"\n", ssh, config)) // ssh does not look for its configuration in HOME
	entry := fmt.Sprintf("Host build-8\n HostName 127.0.0.1\n Port %s\n User %s\n IdentitiesOnly yes\n IdentityAgent none\n UserKnownHostsFile %s\n GlobalKnownHostsFile none\n LocalForward 1 127.0.0.1:1\n RemoteCommand false\n",
		server.Port, server.User, known)
	write(config, entry)

	path := "PATH=" + tools + string(os.PathListSeparator) + os.Getenv("PATH")
	env := func(home string) []string {
		return []string{path, "HOME=" + home, "LANG=C.UTF-8", "USER=" + server.User, "LOGNAME=" + server.User}
	}
	run := func(args ...string) (string, int) {
		cmd := exec.Command(bin, args...)
		cmd.Dir, cmd.Env = here, env(here)
		out, _ := cmd.CombinedOutput()
		return strings.Join(strings.Fields(string(out)), " "), cmd.ProcessState.ExitCode()
	}
	does := func(want string, args ...string) string {
		t.Helper()
		output, code := run(args...)
		if code != 0 || !strings.Contains(output, want) {
			t.Fatalf("gatehouse %s: exit %d, want %q:\n%s", strings.Join(args, " "), code, want, output)
		}
		return output
	}
	fails := func(want string, args ...string) {
		t.Helper()
		if output, code := run(args...); code == 0 || !strings.Contains(output, want) {
			t.Errorf("gatehouse %s: exit %d, want %q:\n%s", strings.Join(args, " "), code, want, output)
		}
	}

	fails("log in once by hand: ssh build-8", "remote", "add", "build-8", "--name", "home", "--dir", shop)
	fails("Host key verification failed. → log in once by hand: ssh build-8", "remote", "doctor")
	write(known, strings.Replace(server.knownAs(t), "AAAAC3NzaC1lZDI1NTE5AAAAI", "AAAAC3NzaC1lZDI1NTE5AAAAIA", 1)[:len(server.knownAs(t))-1]+"\n")
	fails("Host key verification failed.", "remote", "doctor")
	write(known, server.knownAs(t))
	fails("Permission denied (publickey,password,keyboard-interactive). → log in once by hand: ssh build-8", "remote", "doctor")
	write(config, entry+" IdentityFile "+server.Key+"\n")
	fails("gatehouse can't be run there", "remote", "add", "build-8", "--name", "home", "--program", "nowhere/gatehouse")
	fails("gatehouse can't be run there", "remote", "doctor")
	does("home", "remote", "add", "build-8", "--name", "home", "--program", bin) // the directory is kept
	does("ok build-8 there, 1 build, 1 waiting", "remote", "doctor")
	does("ok build-8 there, 1 build, 1 waiting", "remote", "add", "build-8", "--name", "home") // one step, once ssh works

	root := "build-8:" + shop
	does("build-8 there, 1 build, 1 waiting", "remote", "list", "home")
	does("waiting: fold-gate-000: Look at P000", "status", "--remote=home")
	does("◆ waits fold-gate-000 Phase P000: Look at P000", "gates", "--remote=home")
	does("next approve fold-gate-000", "--once", "--remote=home")
	does("approved fold-gate-000: pending → passed", "approve", "fold-gate-000", "--remote=home", "--dir", root)
	does("passed → pending", "undo", "fold-gate-000", "--remote=home")

	asking := exec.Command(bin, "ask", "Which fold?", "--option", "Valley", "--option", "Mountain", "--timeout", "10m")
	asking.Dir, asking.Env = shop, env(there)
	answer := make(chan string, 1)
	go func() {
		out, _ := asking.CombinedOutput()
		answer <- string(out)
	}()
	var id string
	waitUntil(t, "the ask is seen", func() bool {
		output, _ := run("asks", "--remote=home")
		m := regexp.MustCompile(`build-8:(\w+) question Which fold\?`).FindStringSubmatch(output)
		if m != nil {
			id = m[1]
		}
		return m != nil
	})
	does("Which fold? → Mountain", "answer", id, "--pick", "Mountain", "--remote=home")
	if output := <-answer; !strings.Contains(output, "Mountain") {
		t.Errorf("who asked got %q", output)
	}

	// The same on the screen, where the connection is cut.
	w := openTerminal(t, 120, 30, path)
	w.enter("HOME='" + here + "' '" + bin + "' --remote=home")
	w.shows("it's a shop on build-8", "◆ 1/", "P002")
	server.Cut(true)
	w.shows("1 of 1 host")
	w.press("a")
	w.shows("nothing can be decided there until it is back")
	w.press("Escape")
	server.Cut(false)
	w.gone("1 of 1 host")
	w.shows("a approve")
	w.press("a")
	w.shows("writes ", "y approve")
	w.press("y")
	w.showsBriefly("approved", func(string) bool { return hubtest.GateStatus(t, shop, 0) == "passed" })
	w.press("q")
	if got := hubtest.GateStatus(t, shop, 0); got != "passed" {
		t.Error(got)
	}
	journal := exec.Command(bin, "journal", shop)
	journal.Env = env(there)
	if out, err := journal.Output(); err != nil || !strings.Contains(string(out), server.User+" (ssh)  approve fold-gate-000") {
		t.Errorf("%v: %s", err, out)
	}
}
