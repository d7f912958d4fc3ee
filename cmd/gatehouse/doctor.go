package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/model"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/hook"
)

// The results of a check.
const (
	findingOK     = "ok"
	findingAdvice = "advice" // it works, but not as well as it could
	findingBroken = "broken" // agents can't ask or be answered here
)

// findingsJSON is the output of "gatehouse doctor --json".
type findingsJSON struct {
	Schema   int       `json:"schema"`
	Findings []finding `json:"findings"` // in the order of the checks
}

// finding is the result of one check.
type finding struct {
	What   string `json:"what"`             // what was checked
	How    string `json:"how"`              // ok, advice or broken
	Said   string `json:"said"`             // what was found
	Remedy string `json:"remedy,omitempty"` // what to do
}

func newDoctor(s *env) *cobra.Command {
	return s.withJSON(&cobra.Command{
		Use:   "doctor",
		Short: "Check whether live agents can ask you here",
		Long: `Check whether live agents can ask you here, and say what to do if not: the programs, the
directory with the asks, the hooks and settings of each client for you and for the project
in this directory, the terminal, and a probe that asks and answers itself by a real hook.

Exits 1 if something is broken.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := doctor{env: s}
			d.checkPrograms()
			isUsable := d.checkStore()
			d.checkClients()
			d.checkTerminal()
			if isUsable {
				d.checkProbe(cmd.Context())
			}
			return d.printFindings()
		},
	}, "print the findings as JSON")
}

type doctor struct {
	*env
	found []finding
}

func (d *doctor) addFinding(how, what, text, remedy string) {
	d.found = append(d.found, finding{what, how, text, remedy})
}

func (d *doctor) printFindings() error {
	if d.asJSON {
		return cmp.Or(d.out.printJSON(findingsJSON{statusSchema, d.found}), d.refuseBroken())
	}
	for _, f := range d.found {
		d.out.printf("%-7s %-22s %s\n", f.How, f.What, f.Said)
		if f.Remedy != "" {
			d.out.printf("        %-22s → %s\n", "", f.Remedy)
		}
	}
	return d.refuseBroken()
}

// refuseBroken returns the error that a check ends with if something is broken.
func (d *doctor) refuseBroken() error {
	if slices.ContainsFunc(d.found, func(f finding) bool { return f.How == findingBroken }) {
		return refusal{}
	}
	return nil
}

// shortPath writes ~ for the home directory in a path.
func (d *doctor) shortPath(path string) string { return shortPath(path, d.user.Home) }

func (d *doctor) checkPrograms() {
	switch found, err := exec.LookPath("gatehouse"); {
	case err != nil:
		d.addFinding(findingAdvice, "gatehouse", programPath()+", not in PATH", "add its directory to PATH; until then hooks use the full path")
	case found != programPath():
		d.addFinding(findingAdvice, "gatehouse", "another one is in PATH: "+found, "remove the one you do not want; this is "+programPath())
	default:
		d.addFinding(findingOK, "gatehouse", found, "")
	}
}

// checkStore reads the asks, and reports whether it can.
func (d *doctor) checkStore() (isUsable bool) {
	if d.agents == "" {
		d.addFinding(findingBroken, "asks", "no directory for them", "set HOME or XDG_STATE_HOME")
		return false
	}
	items, err := d.openAsks().List(true)
	if errors.Is(err, ask.ErrLater) { // all other asks work
		d.addFinding(findingBroken, "asks", err.Error(), "")
	} else if err != nil {
		d.addFinding(findingBroken, "asks", err.Error(), "fix this first; until then nothing can be asked")
		return false
	}
	waiting := 0
	for _, item := range items {
		if item.State == ask.Waiting {
			waiting++
		}
	}
	d.addFinding(findingOK, "asks", fmt.Sprintf("in %s; %d waiting", d.shortPath(d.agents), waiting), "")
	return true
}

// checkClients checks each client that is in PATH, has hooks, or has unreadable settings.
func (d *doctor) checkClients() {
	dir, _ := filepath.Abs(".")
	hasHooks := false
	for _, name := range hook.Clients() {
		status, err := d.setupPlace(name, dir).Status()
		if err != nil {
			d.addFinding(findingBroken, name, err.Error(), "fix this first")
			continue
		}
		for _, f := range status.Findings {
			f.File = d.shortPath(f.File)
			d.addFinding(severities[f.Severity], name, f.Pos.String()+": "+f.Text, f.Fix)
		}
		hasHooks = hasHooks || status.IsInstalled
		_, err = exec.LookPath(name)
		if err == nil && !status.IsInstalled {
			d.addFinding(findingAdvice, name, "Gatehouse's hooks are not installed", "gatehouse install "+name)
		}
		if err == nil || status.IsInstalled {
			d.checkRecords(name, status.ConfigDir)
		}
	}
	if !hasHooks {
		d.addFinding(findingAdvice, "clients", "no client has Gatehouse's hooks", "gatehouse install "+strings.Join(hook.Clients(), "|"))
	}
}

// severities are the words for findings about settings.
var severities = map[model.Severity]string{"": findingOK, model.Warning: findingAdvice, model.Error: findingBroken}

// checkRecords checks the records and sockets of a client.
func (d *doctor) checkRecords(name, config string) {
	switch name {
	case "claude":
		dir := filepath.Join(config, "sessions")
		if _, err := os.ReadDir(dir); err != nil {
			d.addFinding(findingAdvice, "claude sessions", "no records in "+d.shortPath(dir)+"; hooks alone do not report Esc",
				"start a session of Claude Code 2.1.330 or newer")
			return
		}
		d.addFinding(findingOK, "claude sessions", "recorded in "+d.shortPath(dir), "")
	case "codex":
		socket, has := filepath.Join(config, "app-server-control", "app-server-control.sock"), "socket at "
		if _, err := os.Stat(socket); err != nil {
			has = "no socket at "
		}
		d.addFinding(findingOK, "codex daemon", has+d.shortPath(socket)+"; sessions without it use the hooks", "")
	}
}

func (d *doctor) checkTerminal() {
	how, remedy, term := findingOK, "", d.getenv("TERM")
	if term == "" || term == "dumb" {
		how, remedy, term = findingAdvice, "the dashboard needs a terminal that can move its cursor", "TERM is "+cmp.Or(term, "not set")
	}
	d.addFinding(how, "terminal", strings.TrimSpace(term+" "+d.getenv("TERM_PROGRAM")), remedy)
	if pane := d.ownPane(); pane.TmuxPane != "" {
		d.addFinding(findingOK, "gatehouse jump", "selects an agent's pane ("+pane.String()+")", "")
	} else {
		d.addFinding(findingAdvice, "gatehouse jump", "this terminal can't select another pane", "run agents in tmux")
	}
}

const (
	probeTimeout  = 10 * time.Second
	probeInterval = 2 * time.Millisecond // between looks for the probe's question
)

// checkProbe asks a question through a real hook and answers it.
func (d *doctor) checkProbe(ctx context.Context) {
	took, err := d.runProbe(ctx)
	if err != nil {
		d.addFinding(findingBroken, "probe", "a question did not come back: "+err.Error(), "please report this with the lines above")
		return
	}
	d.addFinding(findingOK, "probe", fmt.Sprintf("asked and answered; the answer took %d ms", took.Milliseconds()), "")
}

// runProbe returns the time from answer to output, in a separate store on the same disk.
func (d *doctor) runProbe(ctx context.Context) (time.Duration, error) {
	ctx, stop := context.WithTimeout(ctx, probeTimeout)
	defer stop()
	if err := os.MkdirAll(filepath.Dir(d.agents), 0o700); err != nil {
		return 0, err
	}
	state, err := os.MkdirTemp(filepath.Dir(d.agents), "probe-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(state)
	cmd := exec.CommandContext(ctx, programPath(), "hook", "claude")
	cmd.Env = append(cmd.Environ(), "XDG_STATE_HOME="+state, "CLAUDE_CODE_SESSION_ATTENDED=1")
	cmd.Stdin = strings.NewReader(`{"session_id":"probe","cwd":"/","hook_event_name":"PermissionRequest","tool_name":"AskUserQuestion",` +
		`"tool_input":{"questions":[{"question":"Does it work?","options":[{"label":"Yes"},{"label":"No"}]}]}}`)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	store := ask.Open(ask.Options{
		Dir: filepath.Join(state, "gatehouse", "agents"), Journal: filepath.Join(state, "journal"), User: d.user.Name, Table: d.processes, Now: d.now,
	})
	var answered time.Time
	for answered.IsZero() {
		items, err := store.List(false)
		if err == nil && len(items) == 1 {
			answered = time.Now()
			_, err = store.Answer(items[0].ID, ask.Answer{Allow: true, Replies: []ask.Reply{{Picks: []int{0}}}}, ask.ByCommand)
		}
		if err = cmp.Or(err, context.Cause(ctx)); err != nil {
			stop()
			return 0, errors.Join(err, cmd.Wait())
		}
		time.Sleep(probeInterval)
	}
	if err := cmd.Wait(); err != nil {
		return 0, err
	}
	took := time.Since(answered)
	if !strings.Contains(out.String(), `"answers":{"Does it work?":"Yes"}`) {
		return 0, fmt.Errorf("the hook printed %q", out.String())
	}
	return took, nil
}
