package main

// gatehouse doctor: whether live agents can ask here, and what to do where they can't.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/setup"
)

// How a check went.
const (
	fine   = "ok"
	advice = "advice" // it could be better
	broken = "broken" // agents can't be answered
)

// findingsJSON is what "gatehouse doctor --json" prints.
type findingsJSON struct {
	Schema   int       `json:"schema"`
	Findings []finding `json:"findings"` // in the order in which things were looked at
}

// finding is one line of the doctor.
type finding struct {
	What   string `json:"what"`             // what was looked at
	How    string `json:"how"`              // ok, advice or broken
	Said   string `json:"said"`             // what was found
	Remedy string `json:"remedy,omitempty"` // what to do
}

func newDoctor(s *surroundings) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check whether live agents can ask you here",
		Long: `Check whether live agents can ask you here, a line each, with what to do: the programs,
the place where asks are kept, the hooks of each client that is installed, the terminal, and
a probe that asks and answers itself by way of a real hook.

Exits 1 where agents can't be answered. With --json: {"schema", "findings": [{"what", "how",
"said", "remedy"}]}; how is ok, advice or broken.`,
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := doctor{surroundings: s}
			d.programs()
			d.place()
			d.clients()
			d.terminal(cmd.Context())
			d.probe(cmd.Context())
			return d.print(asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return cmd
}

type doctor struct {
	*surroundings
	found    []finding
	unusable bool // the store, as was said
}

func (d *doctor) say(how, what, said, remedy string) {
	d.found = append(d.found, finding{what, how, said, remedy})
}

func (d *doctor) print(asJSON bool) error {
	bad := false
	for _, f := range d.found {
		bad = bad || f.How == broken
		if asJSON {
			continue
		}
		d.out.printf("%-7s %-22s %s\n", f.How, f.What, f.Said)
		if f.Remedy != "" {
			d.out.printf("        %-22s → %s\n", "", f.Remedy)
		}
	}
	if asJSON {
		if err := d.out.json(findingsJSON{statusSchema, d.found}); err != nil {
			return err
		}
	}
	if bad {
		return refusal{}
	}
	return nil
}

// programs looks for the two programs.
func (d *doctor) programs() {
	self, err := os.Executable()
	if err != nil {
		d.say(advice, "gatehouse", err.Error(), "")
		return
	}
	switch found, err := exec.LookPath("gatehouse"); {
	case err != nil:
		d.say(advice, "gatehouse", self+", not in PATH", "put its directory into PATH; hooks name the whole path meanwhile")
	case !same(self, found):
		d.say(advice, "gatehouse", "another one is in PATH: "+found, "remove the one you do not want; this is "+self)
	default:
		d.say(fine, "gatehouse", found, "")
	}
	if found, err := exec.LookPath("statusline"); err != nil {
		d.say(advice, "statusline", "not in PATH", "install it beside gatehouse to see in your prompt what waits")
	} else {
		d.say(fine, "statusline", found, "")
	}
}

// same reports whether two paths lead to the same file.
func same(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// place looks at the store and the journal.
func (d *doctor) place() {
	store := d.store()
	items, err := store.List(true)
	if errors.Is(err, ask.ErrLater) { // all else can be asked and answered
		d.say(broken, "asks", err.Error(), "")
	} else if err != nil {
		d.unusable = true
		d.say(broken, "asks", err.Error(), "nothing can be asked before that is mended")
		return
	}
	if d.agents == "" {
		d.say(broken, "asks", "there is no place for them", "set HOME or XDG_STATE_HOME")
		return
	}
	n := 0 // and not of files: what is torn or a link asks nothing
	for _, item := range items {
		if item.State == ask.Waiting {
			n++
		}
	}
	d.say(fine, "asks", fmt.Sprintf("kept in %s; %d wait", shortPath(d.agents, d.user.Home), n), "")
}

// clients looks at each client that is installed.
func (d *doctor) clients() {
	any := false
	for _, name := range setup.Clients() {
		place := d.setupPlace(name, ".")
		look, err := place.Look()
		_, here := exec.LookPath(name)
		switch {
		case err != nil:
			d.say(broken, name, err.Error(), "mend that first")
		case !look.Installed && here != nil:
			continue
		case !look.Installed:
			d.say(advice, name, "does not ask here", "gatehouse install "+name)
		default:
			any = true
			d.hooks(name, look)
		}
	}
	if !any {
		d.say(advice, "clients", "no agent's client asks here", "gatehouse install "+strings.Join(setup.Clients(), "|"))
	}
}

// hooks looks at the hooks of a client that has some.
func (d *doctor) hooks(name string, look setup.Found) {
	file := shortPath(look.File, d.user.Home)
	again := "gatehouse install " + name
	if program := strings.Trim(strings.TrimSuffix(look.Command, " hook "+name), "'\""); look.Command != "" {
		if path, err := exec.LookPath(program); err != nil {
			d.say(broken, name, fmt.Sprintf("its hooks run %s, which is not there", program), again)
			return
		} else if self, err := os.Executable(); err == nil && !same(self, path) {
			d.say(advice, name, fmt.Sprintf("its hooks run %s, which is another gatehouse", program), again)
		}
	}
	switch {
	case len(look.Missing) > 0:
		d.say(advice, name, "hooks are missing in "+file+": "+strings.Join(look.Missing, ", "), again)
	case len(look.Wrong) > 0:
		d.say(advice, name, "time-outs in "+file+" are not as they should be: "+strings.Join(look.Wrong, ", "), again)
	case look.Off != "":
		d.say(broken, name, look.Off+" ("+file+")", remedies[name])
	default:
		d.say(fine, name, "asks here ("+file+")", "")
	}
}

// remedies say what to do where a client runs no hooks that are there.
var remedies = map[string]string{
	"claude": "take it out of the file",
	"codex":  "start codex and trust them when it asks (\"Hooks need review\")",
}

// terminal looks at what the terminal can do.
func (d *doctor) terminal(ctx context.Context) {
	switch term := d.variable("TERM"); {
	case term == "" || term == "dumb":
		d.say(advice, "terminal", "TERM is "+orUnset(term), "the dashboard needs a terminal that can move its cursor")
	default:
		d.say(fine, "terminal", strings.TrimSpace(term+" "+d.variable("TERM_PROGRAM")), "")
	}
	here := d.pane()
	socket, _, _ := strings.Cut(d.variable("TMUX"), ",")
	switch {
	case socket != "":
		pass, err := runCommand(ctx, "tmux", "-S", socket, "show-options", "-gwv", "allow-passthrough")
		switch pass = strings.TrimSpace(pass); {
		case err != nil:
			d.say(advice, "tmux", "does not answer: "+err.Error(), "")
		case pass == "on" || pass == "all":
			d.say(fine, "tmux", "lets notices through (allow-passthrough "+pass+")", "")
		default:
			d.say(advice, "tmux", "keeps notices from the terminal (allow-passthrough "+orUnset(pass)+")", "tmux set -g allow-passthrough all")
		}
		d.say(fine, "gatehouse jump", "goes to an agent's pane by tmux", "")
	case here.Wezterm != "" || here.Kitty != "":
		d.say(fine, "gatehouse jump", "goes to an agent's pane ("+here.String()+")", "")
	case d.variable("KITTY_WINDOW_ID") != "":
		d.say(advice, "gatehouse jump", "kitty's remote control is off", "allow_remote_control yes and listen_on in kitty.conf")
	default:
		d.say(advice, "gatehouse jump", "this terminal has no command to show another pane", "run agents in tmux, WezTerm or kitty")
	}
}

func orUnset(s string) string {
	if s == "" {
		return "not set"
	}
	return s
}

const (
	// probePatience is how long the probe may take as a whole.
	probePatience = 10 * time.Second
	// probeLook is how often it looks whether the hook has asked.
	probeLook = 2 * time.Millisecond
	// probeSlow is an answer that takes noticeably long.
	probeSlow = 200 * time.Millisecond
)

// probe asks by way of a real hook, and answers, in a store of its own on the same disk.
func (d *doctor) probe(ctx context.Context) {
	took, err := d.probeOnce(ctx)
	switch {
	case err != nil && d.unusable:
		d.say(broken, "probe", "a question did not come back: "+err.Error(), "mend what stands above at asks")
	case err != nil:
		d.say(broken, "probe", "a question did not come back: "+err.Error(), "please report this, with what stands above")
	case took > probeSlow:
		d.say(advice, "probe", fmt.Sprintf("asked and answered; the answer took %d ms", took.Milliseconds()), "look what else is busy on this machine or disk")
	default:
		d.say(fine, "probe", fmt.Sprintf("asked and answered; the answer took %d ms", took.Milliseconds()), "")
	}
}

func (d *doctor) probeOnce(ctx context.Context) (time.Duration, error) {
	if d.agents == "" {
		return 0, errors.New("there is no place for asks")
	}
	ctx, stop := context.WithTimeout(ctx, probePatience)
	defer stop()
	if err := os.MkdirAll(filepath.Dir(d.agents), 0o700); err != nil {
		return 0, err
	}
	state, err := os.MkdirTemp(filepath.Dir(d.agents), "probe-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(state)
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, self, "hook", "claude")
	cmd.Env = append(cmd.Environ(), "XDG_STATE_HOME="+state, "CLAUDE_CODE_SESSION_ATTENDED=1")
	cmd.Stdin = strings.NewReader(`{"session_id":"probe","cwd":"/","hook_event_name":"PermissionRequest","tool_name":"AskUserQuestion",` +
		`"tool_input":{"questions":[{"question":"Does it work?","header":"Probe","multiSelect":false,"options":[{"label":"Yes","description":""},{"label":"No","description":""}]}]}}`)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	store := ask.Open(ask.Options{Dir: filepath.Join(state, "gatehouse", "agents"), Journal: filepath.Join(state, "journal"), User: d.user.Name, Table: d.processes, Now: d.now})
	var began time.Time
	for began.IsZero() {
		items, err := store.List(false)
		if err == nil && len(items) == 1 {
			began = time.Now()
			_, err = store.Answer(items[0].ID, ask.Answer{Allow: true, Replies: []ask.Reply{{Picks: []int{0}}}}, ask.ByCommand)
		}
		if err == nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			stop()
			return 0, errors.Join(err, cmd.Wait())
		}
		time.Sleep(probeLook)
	}
	err = cmd.Wait()
	took := time.Since(began)
	var said struct {
		Specific struct {
			Decision struct {
				Behavior string `json:"behavior"`
				Input    struct {
					Answers map[string]string `json:"answers"`
				} `json:"updatedInput"`
			} `json:"decision"`
		} `json:"hookSpecificOutput"`
	}
	if err == nil && (json.Unmarshal(out.Bytes(), &said) != nil || said.Specific.Decision.Input.Answers["Does it work?"] != "Yes") {
		err = fmt.Errorf("the hook printed %q", out.String())
	}
	return took, err
}
