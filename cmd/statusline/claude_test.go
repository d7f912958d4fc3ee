//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/agents/waiting"
)

// agentInput is an agent's input of usual size, with every known field.
const agentInput = `{"session_id":"0b54ef2e-9d4c-4c56-a1a2-3f1a6c1d7a10","session_name":null,"prompt_id":"p","transcript_path":"/nowhere/t.jsonl","cwd":"/nowhere",
"version":"2.1.145","hook_event_name":"Status","model":{"id":"claude-opus-4-1","display_name":"Opus 4.1 (1M context)"},
"workspace":{"current_dir":"DIR","project_dir":"DIR","added_dirs":["/a","/b"],"git_worktree":null,"repo":{"host":"example.org","owner":"o","name":"n"}},
"output_style":{"name":"default"},"cost":{"total_cost_usd":0.01234,"total_duration_ms":45000,"total_api_duration_ms":2300,"total_lines_added":156,
"total_lines_removed":23},"context_window":{"total_input_tokens":15234,"total_output_tokens":4521,"context_window_size":200000,"used_percentage":42,
"remaining_percentage":58,"current_usage":{"input_tokens":8500,"output_tokens":1200,"cache_creation_input_tokens":5000,"cache_read_input_tokens":2000}},
"exceeds_200k_tokens":false,"effort":{"level":"high"},"thinking":{"enabled":true},"fast_mode":false,"rate_limits":{"five_hour":{"used_percentage":23.5,
"resets_at":1767225600},"seven_day":{"used_percentage":41.2,"resets_at":1767830400}},"vim":{"mode":"NORMAL"},"agent":{"name":"reviewer"},
"pr":{"number":12,"review_state":"approved"}}`

// agentLine returns the line for agentInput in the directory dir with agentState.
func agentLine(dir string) string {
	return "\x1b[2mOpus 4.1 (1M)\x1b[0m │ \x1b[2mv1 N · executing\x1b[0m │ \x1b[2m" + filepath.Base(dir) + "\x1b[0m \x1b[33m█████░░░░░ 50%\x1b[0m"
}

const agentState = "---\nmilestone: v1\nmilestone_name: N\nstatus: executing\n---\n"

// asAgent returns the program as an agent starts it, without a terminal in its environment.
func asAgent(program, dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, append([]string{"--shell", "claude"}, args...)...)
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	return cmd
}

// runAgent runs the program as an agent does, and returns what it prints. It must not wait for an end of its input that never comes.
func runAgent(t *testing.T, program, dir string, stdin io.Reader, args ...string) string {
	t.Helper()
	cmd := asAgent(program, dir, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &stdout, &stderr
	start := time.Now()
	cmd.Run() // writing the input may fail if the program does not read it
	if took := time.Since(start); cmd.ProcessState.ExitCode() != 0 || stderr.Len() > 0 || took > heldUp {
		t.Errorf("exit %d after %v, %q", cmd.ProcessState.ExitCode(), took, stderr.String())
	}
	return stdout.String()
}

func TestAgentProgram(t *testing.T) {
	program := build(t, ".")
	dir := project(t, agentState)
	input := strings.ReplaceAll(agentInput, "DIR", dir)
	full := strings.Repeat(" ", 64<<10-len(input)) + input
	for _, c := range []struct{ name, input, want string }{
		{"usual", input, agentLine(dir)},
		{"64 KiB", full, agentLine(dir)},
		{"more", " " + full, ""},
		{"far more", strings.Repeat(" ", 1<<20) + input, ""},
		{"empty", "", ""},
		{"no JSON", "hello\n", ""},
		{"half", input[:len(input)/2], ""},
		{"nothing known", "{}\n", "\x1b[2mClaude\x1b[0m │ \x1b[2mv1 N · executing\x1b[0m │ \x1b[2m" + filepath.Base(dir) + "\x1b[0m"},
	} {
		file := filepath.Join(t.TempDir(), "input")
		must(t, os.WriteFile(file, []byte(c.input), 0o644))
		regular, err := os.Open(file)
		must(t, err)
		defer regular.Close()
		for kind, stdin := range map[string]io.Reader{"pipe": strings.NewReader(c.input), "file": regular} {
			if got := runAgent(t, program, dir, stdin); got != c.want {
				t.Errorf("%s, %s: %q, want %q", c.name, kind, got, c.want)
			}
		}
	}
}

// TestAgentSilence runs the program with pipes that are never closed. The limit here is far above the program's 200 ms, so that a busy
// machine does not fail the test; waiting forever would.
func TestAgentSilence(t *testing.T) {
	program := build(t, ".")
	dir := project(t, agentState)
	input := strings.ReplaceAll(agentInput, "DIR", dir)
	for name, c := range map[string]struct{ input, want string }{
		"silent": {"", ""}, "half": {input[:100], ""}, "whole, left open": {input, agentLine(dir)}, "whole, with a line break": {input + "\n", agentLine(dir)},
	} {
		reader, writer, err := os.Pipe()
		must(t, err)
		defer reader.Close()
		defer writer.Close()
		if _, err := writer.WriteString(c.input); err != nil {
			t.Fatal(err)
		}
		if got := runAgent(t, program, dir, reader); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}

	// A byte from time to time must not delay the program either.
	reader, writer, err := os.Pipe()
	must(t, err)
	defer reader.Close()
	done := make(chan struct{})
	go func() {
		defer writer.Close()
		for {
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
				writer.WriteString(" ")
			}
		}
	}()
	if got := runAgent(t, program, dir, reader); got != "" {
		t.Errorf("dribble: %q", got)
	}
	close(done)
}

func TestAgentWithoutInput(t *testing.T) {
	program := build(t, ".")
	dir := project(t, agentState)
	for _, redirect := range []string{"<&-", "</dev/null", "</", "<&- >&-"} {
		cmd := asAgent("sh", dir)
		cmd.Args = []string{"sh", "-c", `"$0" --shell claude ` + redirect, program}
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v, %q", redirect, err, out)
		}
	}
	socket := asAgent(program, dir, "--explain")
	var report bytes.Buffer
	socket.Stdin, socket.Stderr = strings.NewReader(strings.ReplaceAll(agentInput, "DIR", dir)), &report
	if err := socket.Run(); err != nil || !strings.Contains(report.String(), "4 fallback") {
		t.Errorf("--explain: %v\n%s", err, report.String())
	}
}

// TestAgentGit runs real git after the line, as GSD's hook does.
func TestAgentGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	program := build(t, ".")
	dir := project(t, agentState)
	git := exec.Command("git", "init", "-q", "-b", "topic")
	git.Dir = dir
	if report, err := git.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, report)
	}
	const head = "\x1b[2mClaude\x1b[0m │ \x1b[2mv1 N · executing\x1b[0m │ \x1b[2m"
	for _, c := range []struct{ args, want, plain string }{
		{"", "", ""},
		{"--git", " │ \x1b[2mtopic\x1b[0m", " │ topic"},
		{"--git=dirty", " │ \x1b[2mtopic\x1b[0m\x1b[31m?1\x1b[0m", " │ topic?1"},
	} {
		args := strings.Fields(c.args)
		if got := runAgent(t, program, dir, strings.NewReader("{}"), args...); got != head+filepath.Base(dir)+"\x1b[0m"+c.want {
			t.Errorf("%s: %q", c.args, got)
		}
		if got := runAgent(t, program, dir, nil, append([]string{"--shell", "plain"}, args...)...); got != "v1 N · executing"+c.plain+"\n" {
			t.Errorf("plain %s: %q", c.args, got)
		}
	}
	sub := filepath.Join(dir, ".planning", "deep")
	must(t, os.Mkdir(sub, 0o755))
	// Home is this directory, so that no build above is found.
	if got := runAgent(t, program, sub, nil, "--shell", "plain", "--git"); got != "topic\n" {
		t.Errorf("no build: %q", got)
	}
}

// TestAgentStatusIsKept checks that an agent's input to its status line is kept for the dashboard.
func TestAgentStatusIsKept(t *testing.T) {
	program, home := build(t, "."), t.TempDir()
	store := waiting.StorePath(false, home, func(string) string { return "" })
	file := func(session string) string {
		return filepath.Join(store, "statusline", waiting.Key("claude "+session)+".json")
	}
	tell := func(input string) {
		t.Helper()
		if got := runAgent(t, program, home, strings.NewReader(input)); !strings.Contains(got, "Claude") {
			t.Fatal(got)
		}
	}
	status := func(cost string) string { return `{"session_id": "../abc", "cost": {"total_cost_usd": ` + cost + `}}` }
	for _, input := range []string{status("1.5"), status("1.6")} {
		tell(input)
		if got, err := os.ReadFile(file("../abc")); err != nil || string(got) != input {
			t.Errorf("%q, %v", got, err)
		}
	}
	tell(`{"model": {}}`) // no session
	names, err := filepath.Glob(filepath.Join(store, "statusline", "*"))
	if err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
	for path, want := range map[string]os.FileMode{file("../abc"): 0o600, filepath.Dir(names[0]): 0o700, store: 0o700} {
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, st.Mode(), err)
		}
	}

	// A temporary file left by a killed process delays later writes only briefly.
	temp, then := file("../abc")+".tmp", time.Now().Add(-time.Minute)
	must(t, os.WriteFile(temp, nil, 0o600))
	must(t, os.Chtimes(temp, then, then))
	tell(status("2"))
	tell(status("2"))
	if got, err := os.ReadFile(file("../abc")); err != nil || string(got) != status("2") {
		t.Errorf("after a crash: %q, %v", got, err)
	}
}

func TestAgentStatusIsKeptInPrivateDirectoriesOnly(t *testing.T) {
	program := build(t, ".")
	for name, prepare := range map[string]func(store string) error{
		"store writable by others":     func(store string) error { return os.Chmod(store, 0o777) },
		"directory writable by others": func(store string) error { return os.Chmod(filepath.Join(store, "statusline"), 0o770) },
		"store of another user":        func(store string) error { return os.Chown(store, 65534, -1) },
		"a link": func(store string) error {
			return os.Rename(filepath.Join(store, "statusline"), store+"-moved")
		},
	} {
		home := t.TempDir()
		store := waiting.StorePath(false, home, func(string) string { return "" })
		err := os.MkdirAll(filepath.Join(store, "statusline"), 0o700)
		if err == nil {
			err = prepare(store)
		}
		if err == nil && name == "a link" {
			err = os.Symlink(store+"-moved", filepath.Join(store, "statusline"))
		}
		if err != nil {
			t.Skip(err)
		}
		if got := runAgent(t, program, home, strings.NewReader(`{"session_id": "abc"}`)); !strings.Contains(got, "Claude") {
			t.Fatalf("%s: %s", name, got)
		}
		for _, pattern := range []string{store + "/*/*", store + "-moved/*"} {
			if left, _ := filepath.Glob(pattern); len(left) > 0 {
				t.Errorf("%s: %v", name, left)
			}
		}
	}
}
