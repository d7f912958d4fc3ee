package view

// What was sent and has no answer: kept over the end of the process, so that nobody decides the same a second time unknowingly.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/fleet/wire"
)

const (
	// sentFor is how long it is kept: hosts know of each request for as long.
	sentFor = 8 * 24 * time.Hour
	// sentLimit is as much of a file as is read, sentMost how many files are.
	sentLimit = 256 << 10
	sentMost  = 1000
)

// sent is a request of which no answer has come yet. A process that ends then leaves it in a file of its own, ID.json.
type sent struct {
	Version int          `json:"version"`
	ID      string       `json:"id"` // of the request
	Fleet   string       `json:"fleet"`
	Host    string       `json:"host"`    // as it is called here
	Machine string       `json:"machine"` // that it was sent to
	At      time.Time    `json:"at"`
	Action  model.Action `json:"action"` // as it is called here
	Ask     string       `json:"ask,omitempty"`
	// Unknown says that nobody could say what became of it; else it is under way, or its process has ended.
	Unknown bool `json:"unknown"`

	filed  bool      // it is in a file
	busy   bool      // this process waits for the answer
	asked  time.Time // when it was asked last what became of it
	shown  bool      // its project says that it is not known
	fate   string    // what its host has said since, other than that it was done
	undone bool      // which is that it was not done, for certain
}

// sentVersion is that of the form of these files. A later one is left alone.
const sentVersion = 1

// about says for people what was sent.
func (x *sent) about(f *Fleet) string {
	return fmt.Sprintf("%s of %s, sent at %s", x.Action.Verb, x.Action.Node+x.Ask, f.clockTime(x.At))
}

// loadSent takes in what other processes have left, or are at. What can't be read is none: the host's journal has it. The files are read
// without the lock: messages don't wait for a disk.
func (f *Fleet) loadSent() {
	dir := f.opts.Sent
	if dir == "" {
		return
	}
	files, _ := os.ReadDir(dir) // none: nothing was left
	now := f.opts.Now()
	there := map[string]*sent{}
	for _, e := range files[max(0, len(files)-sentMost):] { // the newest: their names begin with the time
		id, ok := strings.CutSuffix(e.Name(), ".json")
		made, err := wire.IDTime(id)
		switch {
		case !ok || err != nil || !e.Type().IsRegular():
			continue
		case now.Sub(made) > sentFor:
			os.Remove(filepath.Join(dir, e.Name()))
			continue
		}
		if x := f.readSent(id); x != nil {
			there[id] = x
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for id, x := range there {
		if f.sent[id] == nil && f.isFiled(id) { // else it was answered while the others were read
			f.sent[id] = x
		}
	}
	for id, x := range f.sent {
		if there[id] == nil && !x.busy && x.filed && !f.isFiled(id) { // another process has found out
			delete(f.sent, id)
			f.remake(x)
		}
	}
}

// isFiled reports whether there is the file of a request.
func (f *Fleet) isFiled(id string) bool {
	_, err := os.Lstat(f.sentFile(id))
	return err == nil
}

func (f *Fleet) readSent(id string) *sent {
	file, err := os.Open(f.sentFile(id))
	if err != nil {
		return nil
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, sentLimit))
	x := sent{filed: true}
	if err != nil || json.Unmarshal(data, &x) != nil || x.Version != sentVersion || x.ID != id || x.Fleet != f.opts.Fleet {
		return nil
	}
	return &x
}

// sends notes that a request is about to be sent. That it can't be kept does not keep it from being sent.
func (f *Fleet) sends(x *sent) {
	x.busy, x.filed = true, f.keep(x)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent[x.ID] = x
}

// keep writes the file of a request, in one step, and reports whether it is there.
func (f *Fleet) keep(x *sent) bool {
	if f.opts.Sent == "" {
		return false
	}
	data, err := json.Marshal(x)
	return err == nil && statefile.ReplaceOwn(f.sentFile(x.ID), data) == nil
}

func (f *Fleet) sentFile(id string) string { return filepath.Join(f.opts.Sent, id+".json") }

// forgetSent forgets a request of which it is known what became of it.
func (f *Fleet) forgetSent(id string) {
	if f.opts.Sent != "" {
		os.Remove(f.sentFile(id))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if x := f.sent[id]; x != nil {
		delete(f.sent, id)
		f.remake(x)
	}
}

// unanswered notes that nobody could say what became of a request.
func (f *Fleet) unanswered(x *sent) {
	f.mu.Lock()
	x.busy, x.Unknown, x.asked = false, true, f.opts.Now()
	f.remake(x)
	copied := *x
	f.mu.Unlock()
	f.keep(&copied)
}

// remake has the project of a request shown anew.
func (f *Fleet) remake(x *sent) {
	if p := f.find(x.Action.Project); p != nil {
		p.host.changed()
	}
}

// open reports whether it is not known what became of a request: its process has given up or has ended.
func (x *sent) open(now time.Time) bool {
	return !x.busy && (x.Unknown || now.Sub(x.At) > wire.LateAfter)
}

// earlier finds out what became of an earlier request about the same: nothing is sent before that is known. It returns nil where nothing was
// done.
func (f *Fleet) earlier(ctx context.Context, h *host, a model.Action, ask string) error {
	f.loadSent()
	f.mu.Lock()
	var same []*sent
	for _, x := range f.inOrder() {
		if y := x.Action; !x.busy && y.Project == a.Project && y.Build == a.Build && y.Node == a.Node && x.Ask == ask {
			same = append(same, x)
		}
	}
	f.mu.Unlock()
	for _, x := range same {
		reply := f.became(ctx, h, x.ID, x.Machine)
		if reply == nil {
			return &Unknown{Fleet: f.opts.Fleet, Host: h.shown(), ID: x.ID, fleet: f, at: h, machine: x.Machine, action: x.Action}
		}
		f.forgetSent(x.ID)
		if isDone(reply) {
			return x.doneBefore(f, a)
		}
	}
	return nil
}

// isDone reports whether a reply says that something was done.
func isDone(reply *wire.Reply) bool {
	return reply.Outcome != nil || reply.Asked != nil && reply.Error == nil
}

// doneBefore refuses an action, since one about the same was done. Only where it is the same in all, upon the same, nothing is left to do:
// else agents may have gone another round since, or it is another decision.
func (x *sent) doneBefore(f *Fleet, a model.Action) error {
	y := x.Action
	same := x.Ask == "" && y.Verb == a.Verb && y.Text == a.Text && y.Kind == a.Kind && y.RecordFailed == a.RecordFailed && y.Ahead == a.Ahead && y.Seen == a.Seen && y.Shown == a.Shown && y.IfSeen == a.IfSeen
	r := &model.Refusal{Text: "it was done before: " + x.about(f), Fix: "look again", Already: same}
	if !same {
		r.Text, r.Fix = "nothing was sent: one that had no answer was done before: "+x.about(f), "look again, and decide"
	}
	return r
}

// inOrder returns what was sent, the oldest first.
func (f *Fleet) inOrder() (all []*sent) {
	for _, id := range slices.Sorted(maps.Keys(f.sent)) {
		all = append(all, f.sent[id])
	}
	return all
}

// settleSent asks hosts that are there what became of what was sent to them before.
func (f *Fleet) settleSent() {
	now := f.opts.Now()
	for _, x := range f.inOrder() {
		p := f.find(x.Action.Project)
		if p == nil || !p.host.live || x.fate != "" || !x.open(now) || now.Sub(x.asked) < listLast {
			continue
		}
		h := p.host
		x.asked = now
		if !x.shown {
			x.shown = true
			f.remake(x)
		}
		go func() {
			switch reply := f.became(f.ctx, h, x.ID, x.Machine); {
			case reply == nil:
			case isDone(reply):
				f.forgetSent(x.ID)
			default:
				f.fails(x, reply)
			}
		}()
	}
}

// fails has the project of a request say that nothing was done, or that nobody can tell. The request is kept: whoever sent it has not been told, and
// this process may be one that nobody looks at. It goes when the same is decided again, or its outcome is asked for.
func (f *Fleet) fails(x *sent, reply *wire.Reply) {
	err := reply.Error.Err()
	switch {
	case reply.Withdrawn:
		err = errWithdrawn
	case err == nil:
		err = errMixed
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	x.fate = line.Clean(err.Error())
	x.undone = errors.As(err, new(*model.Refusal)) || errors.As(err, new(*model.Changed))
	f.remake(x)
}

// unsettled says of a project what was sent there and is not known to be done, one problem each.
func (f *Fleet) unsettled(root string) (all []model.Problem) {
	for _, x := range f.inOrder() {
		if x.Action.Project != root || !x.open(f.opts.Now()) {
			continue
		}
		u := Unknown{Fleet: f.opts.Fleet, Host: x.Host, ID: x.ID}
		p := model.Problem{Severity: model.Warning, Text: "it is not known whether it was done: " + x.about(f), Fix: "ask again: " + u.Command()}
		switch {
		case x.undone:
			p.Text, p.Fix = "it was not done: "+x.about(f)+": "+x.fate, "decide again, or take this note away: "+u.Command()
		case x.fate != "": // its host has stopped in the middle of it
			p.Text, p.Fix = "it may have been done: "+x.about(f)+": "+x.fate, "look there, or take this note away: "+u.Command()
		}
		all = append(all, p)
	}
	return all
}
