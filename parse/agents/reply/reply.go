// Package reply sends a human's words to sessions of agents, through interfaces that their clients really have. It
// types nothing into terminals, and it never presents words as typed by the user in an open window.
package reply

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/agents/codex"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/disk/process"
)

// The values of the user's setting for open windows of Claude Code.
const (
	ClaudeOff   = "off"
	ClaudeInbox = "inbox" // as a peer message
)

// How the words reach a model.
const (
	hearsUser = "as your own message"
	hearsPeer = "as a message from another Claude session, not as yours"
)

const (
	failsWithin = time.Second // how long a client that continues on its own is watched: failures happen at once
	sendTimeout = 15 * time.Second
	keepLogs    = 7 * 24 * time.Hour
	logTail     = 4 << 10 // bytes at the end of a log that may contain the last line
)

// Doors is the environment that replies need.
type Doors struct {
	Home    string
	Env     func(name string) string
	Environ []string // of this process, for clients that are started
	Claude  string   // the user's setting for open windows of Claude Code
	Logs    string   // directory for the output of started clients
	Store   *ask.Store
}

// door is a way to a session: how the words reach the model, and the function that sends them. Without send it is shut,
// for the reason in shut.
type door struct {
	hears, shut string
	send        func(ctx context.Context, words string) error
}

// Of returns whether words can reach a session. It looks at files and starts nothing.
func (d *Doors) Of(t *ask.Session) *model.Door {
	way := d.chooseDoor(t)
	return &model.Door{Hears: way.hears, Shut: way.shut}
}

// chooseDoor chooses the way to a session.
func (d *Doors) chooseDoor(t *ask.Session) door {
	switch {
	case t.Held:
		return door{hears: hearsUser}
	case !plain.MatchString(t.ID):
		return door{shut: "the ID of its session is malformed"}
	case t.Agent == "claude":
		return d.claudeDoor(t)
	case t.Agent == "codex":
		return d.codexDoor(t)
	case t.Agent == "opencode":
		return door{shut: "no plugin waits for a reply; run gatehouse install opencode, then restart opencode"}
	}
	return door{shut: "no way to send words to " + cmp.Or(t.Agent, "this agent") + " is known; J goes there"}
}

// plain matches IDs that are safe as arguments.
var plain = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]*$`)

// claudeDoor chooses the way to a session of Claude Code.
func (d *Doors) claudeDoor(t *ask.Session) door {
	program := d.findProgram("claude")
	background := t.Kind == "background" && plain.MatchString(t.Job)
	switch {
	case t.Alive && !background && t.Kind != "":
		return door{shut: "it runs without a window; reply when it has ended"}
	case t.Alive && !background && d.Claude == ClaudeInbox && t.Socket != "":
		return door{hears: hearsPeer, send: func(ctx context.Context, words string) error { return toInbox(ctx, t.Socket, words) }}
	case t.Alive && !background:
		return door{shut: "Claude Code takes no messages for an open window; J goes there (the setting claude_replies opens another way)"}
	case program == "":
		return door{shut: "claude is not in PATH"}
	case background:
		return door{hears: hearsUser, send: func(ctx context.Context, words string) error {
			if err := d.runClient(ctx, nil, t, program, "stop", t.Job); err != nil {
				return err
			}
			return d.runClient(ctx, nil, t, program, "--bg", "--resume", t.ID, "--", words)
		}}
	}
	return door{hears: hearsUser, send: func(ctx context.Context, words string) error {
		return d.runClient(ctx, time.After(failsWithin), t, program, "--resume", t.ID, "-p", "--", words)
	}}
}

// codexDoor returns the way to a session of Codex, which is its app server.
func (d *Doors) codexDoor(t *ask.Session) door {
	socket := codex.Socket(d.Home, d.Env)
	if _, err := os.Stat(socket); err != nil {
		return door{shut: "the app server of Codex does not run; J goes to the session, or codex resume " + t.ID + " opens it"}
	}
	return door{hears: hearsUser, send: func(ctx context.Context, words string) error {
		client, err := codex.Dial(ctx, socket)
		if err != nil {
			return err
		}
		defer client.Close()
		return client.StartTurn(ctx, t.ID, words)
	}}
}

// Send sends words to a session, as the reply to its open turn if there is one. The journal has them before anything can see them. Of
// several replies to a turn only the first is sent; the error of the others is an [*ask.Taken].
func (d *Doors) Send(ctx context.Context, t *ask.Session, turn, words, by string) error {
	way := d.chooseDoor(t)
	switch {
	case strings.TrimSpace(words) == "":
		return errors.New("there are no words to send")
	case way.shut != "":
		return errors.New(way.shut)
	case way.send == nil && turn == "":
		return errors.New("its turn is no longer open")
	}
	ctx, stop := context.WithTimeout(ctx, sendTimeout)
	defer stop()
	if turn == "" {
		reply := model.Decision{By: by, Project: t.Project, Node: "session/" + t.ID, Name: t.Agent + " " + t.ID, Verb: model.VerbReply, Is: "sent", Text: words}
		return d.Store.Record(reply, "", func() error { return way.send(ctx, words) })
	}
	answer := ask.Answer{Allow: true, Text: words}
	if way.send == nil { // a hook that holds the turn sends the words itself
		_, err := d.Store.Answer(turn, answer, by)
		return err
	}
	if _, err := d.Store.Answer(turn, answer, by, func() error { return way.send(ctx, words) }); err != nil {
		return err
	}
	return d.Store.Delivered(turn)
}

// toInbox sends a peer message to a session of Claude Code. The client does not confirm it.
func toInbox(ctx context.Context, socket, words string) error {
	conn, err := codex.DialOwned(ctx, socket)
	if err != nil {
		return fmt.Errorf("the inbox of the session does not answer: %w; J goes there", err)
	}
	defer conn.Close()
	text, err := json.Marshal(map[string]any{"type": "user", "message": map[string]string{"role": "user", "content": words}})
	if err == nil {
		_, err = conn.Write(append(text, '\n'))
	}
	return err
}

// findProgram returns the path of a program in PATH, "" if not found.
func (d *Doors) findProgram(name string) string {
	for _, dir := range filepath.SplitList(d.Env("PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil && filepath.IsAbs(dir) {
			return path
		}
	}
	return ""
}

// sessionVariables name the session of this process, if an agent started it. A newly started client is not part of that
// session: its hooks would otherwise count for the other session.
var sessionVariables = []string{"CLAUDECODE", "CLAUDE_PID", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_CHILD_SESSION",
	"CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_SANDBOX", "GATEHOUSE_SESSION", "GATEHOUSE_AGENT"}

// runClient runs a client in the directory of a session until it ends, and kills it when ctx ends. A client still working
// when alone receives continues on its own. Its output is in a log: with a pipe, run would also wait for the client's
// background processes.
func (d *Doors) runClient(ctx context.Context, alone <-chan time.Time, t *ask.Session, program string, args ...string) error {
	if err := os.MkdirAll(d.Logs, 0o700); err != nil {
		return err
	}
	entries, _ := os.ReadDir(d.Logs)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > keepLogs {
			os.Remove(filepath.Join(d.Logs, e.Name()))
		}
	}
	path := filepath.Join(d.Logs, t.ID+".log")
	log, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.Dir, log, log
	cmd.Env = slices.DeleteFunc(slices.Clone(d.Environ), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(sessionVariables, name)
	})
	cmd.Env = append(cmd.Env, ask.ReplyMark+"=1")
	process.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err = <-ended:
	case <-alone:
	case <-ctx.Done():
		cmd.Process.Kill()
		err = ctx.Err()
	}
	if err != nil {
		text, _ := peek.ReadTail(path, make([]byte, logTail))
		text = strings.TrimSpace(text)
		return fmt.Errorf("%s: %w: %s", filepath.Base(program), err, line.Clean(text[strings.LastIndexByte(text, '\n')+1:]))
	}
	return nil
}
