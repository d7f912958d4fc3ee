package tui

// User stories as scripts: testdata/scripts/*.txtar. Each file of an archive is a story, a command a line:
//
//	open SNAPSHOT WIDTH HEIGHT  a dashboard of a snapshot; "loop" and "chunks" decide in memory
//	asked ID...                 a dashboard of the asks of an agent
//	show SNAPSHOT               the next snapshot; reread: the loop, the chunks or the asks as they are now
//	keys KEY...                 presses keys, named as in the key table; type and paste a text; click on a text, wheel at a column and a row
//	see, no, on TEXT            a text is on the screen, is not, or is in the selected row; closed: no dialog is open
//	did, gave JSON              the actions that were done, or the answers that were given, so far
//
// A text is taken as it stands, or quoted as in Go.

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/rogpeppe/go-internal/txtar"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/tuitest"
)

// snapshots are the snapshots of scripts; some are made for a number: "later:2".
var snapshots = map[string]func(n ...int) *model.Snapshot{
	"shop": always(tuitest.Shop), "shops": always(tuitest.Shops), "reader": always(tuitest.Reader), "sessions": always(tuitest.Sessions),
	"measured": always(tuitest.Measured), "fleet": always(tuitest.Fleet), "empty": always(tuitest.EmptyFolder), "phases": always(tuitest.Phases),
	"chunks": always(func() *model.Snapshot { return newReaderActor().snapshot(1) }), "several": always(someProjects), "long": long,
	"later": func(n ...int) *model.Snapshot { return tuitest.Later(uint64(n[0])) }, "web": func(n ...int) *model.Snapshot { return tuitest.Web(n[0]) },
	"forest": func(n ...int) *model.Snapshot { return tuitest.Forest(n[0]) }, "plans": func(n ...int) *model.Snapshot { return tuitest.Plans(n[0]) },
}

func always(of func() *model.Snapshot) func(...int) *model.Snapshot {
	return func(...int) *model.Snapshot { return of() }
}

// story is a script while it runs.
type story struct {
	user
	actor    *tuitest.Actor
	chunks   *readerActor
	answerer *tuitest.Answerer
	ids      []string
	files    shelf
	readOnly bool
}

func TestScripts(t *testing.T) {
	archives, _ := filepath.Glob("testdata/scripts/*.txtar")
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+f.Name, func(t *testing.T) {
				s := &story{user: user{T: t}, actor: tuitest.NewActor(), answerer: tuitest.NewAnswerer()}
				for i, line := range strings.Split(strings.TrimSpace(string(f.Data)), "\n") {
					t.Log(i+1, line)
					if verb, rest, _ := strings.Cut(line, " "); verb != "#" && verb != "" {
						s.run(verb, rest)
					}
				}
			})
		}
	}
}

// run carries out a command.
func (s *story) run(verb, rest string) {
	text := rest
	if unquoted, err := strconv.Unquote(rest); err == nil {
		text = unquoted
	}
	words := strings.Fields(rest)
	switch verb {
	case "open":
		s.open(words[0], number(words[1]), number(words[2]))
	case "asked":
		s.ids, s.answerer = words, tuitest.NewAnswerer()
		s.open("asks", 110, 34)
		s.atTop().does("n")
	case "waiting":
		s.ids, s.answerer = words, tuitest.NewAnswerer()
		s.open("asks", 120, 34)
	case "failed":
		snap := s.actor.Snapshot(1)
		b := snap.Projects[0].Builds[0]
		n, _ := b.Find(words[0])
		n.Facts = []model.Fact{{Label: "failure 1", Value: "it saw none"}, {Label: "failure 2", Value: "it saw too many"}}
		b.Activity = []model.Activity{{Node: words[0], Status: model.Failed, Text: "failed", Source: model.Pos{File: words[1]}}}
		s.next(snap)
	case "unattributed":
		snap := s.actor.Snapshot(1)
		n, _ := snap.Projects[0].Builds[0].Find(words[0])
		n.Gate.Unattributed = true
		s.next(snap)
	case "actor":
		s.actor = tuitest.NewActor()
	case "readonly":
		s.readOnly = true
	case "show":
		snap := s.snapshot(words[0])
		for _, change := range words[1:] {
			s.edit(snap, change)
		}
		s.next(snap)
	case "reread":
		s.ids = append(s.ids[:0:0], words...)
		s.next(s.snapshot(s.name()))
	case "asks":
		s.ids = words
	case "size":
		s.gets(tea.WindowSizeMsg{Width: number(words[0]), Height: number(words[1])})
	case "keys":
		s.does(words...)
	case "slow": // a key whose effect comes after the next frame
		cmd := s.d.pressKey(input.StrokeOf(words[0]))
		s.screen()
		s.d.carryOut(cmd)
	case "type":
		for _, r := range text {
			s.d.carryOut(s.d.pressKey(input.Stroke{Name: map[bool]string{true: "space", false: string(r)}[r == ' '], Text: string(r)}))
		}
	case "paste":
		s.d.carryOut(s.d.pasteText(text))
	case "click":
		s.clicks(text)
	case "wheel":
		s.gets(tea.MouseWheelMsg{X: number(words[0]), Y: number(words[1]), Button: map[string]tea.MouseButton{"up": tea.MouseWheelUp, "down": tea.MouseWheelDown}[words[2]]})
	case "top":
		s.atTop()
	case "goto":
		at := append(words, "", "")
		s.d.tree.GoTo(index.Place{Project: at[0], Build: at[1], Node: at[2]})
	case "later":
		before := s.d.opts.Clock
		s.d.opts.Clock = func() time.Time { return before().Add(time.Second) }
	case "unseen":
		s.d.unseen = text == "true"
	case "nobody":
		s.d.decisions.Actor = nil
	default:
		s.arrange(verb, text, words)
	}
}

// arrange carries out a command that arranges the surroundings, or checks something.
func (s *story) arrange(verb, text string, words []string) {
	s.Helper()
	switch verb {
	case "see":
		s.sees(text)
	case "no":
		s.seesNo(text)
	case "on":
		s.isOn(text)
	case "title":
		if got := s.d.windowTitle(); got != text {
			s.Fatalf("the title is %q", got)
		}
	case "closed":
		s.asksNothing()
	case "did":
		var want []model.Action
		s.decode(text, &want)
		s.checkDone(want)
	case "gave":
		var want []model.Answer
		s.decode(text, &want)
		if got, _ := json.Marshal(s.answerer.Given); string(got) != s.marshal(want) && len(want)+len(s.answerer.Given) > 0 {
			s.Fatalf("answered %s", got)
		}
	case "state":
		s.actor.States[words[0]] = strings.Trim(strings.Join(words[1:], " "), `"`)
	case "missing":
		s.actor.Missing = words
	case "refuse":
		if s.actor.Refusal = nil; text != "" {
			var refusal model.Refusal
			s.decode(text, &refusal)
			s.actor.Refusal = &refusal
		}
	case "fail":
		s.fail(text)
	case "change":
		if s.actor.Change = nil; text != "" {
			s.actor.Change = func(p *model.Proposal) {
				p.Evidence = slices.Clone(p.Evidence)
				s.decode(text, p)
			}
		}
	case "answered": // the agent has taken up the request for changes
		s.actor.Requests = map[string]string{}
	case "overwrite":
		if s.actor.SettleError = nil; text != "" {
			s.actor.SettleError = &model.Overwritten{File: text}
		}
	case "taken":
		s.answerer.Taken[words[0]] = strings.Join(words[1:], " ")
	case "lost":
		s.answerer.Lost = map[string]error{words[0]: &lostReply{then: func() (*model.Outcome, error) {
			a := *s.answerer.Asks[words[0]]
			a.State = model.AskAnswered
			return &model.Outcome{Asked: &a}, nil
		}}}
	case "touch":
		s.actor.File++
	case "journal":
		s.actor.Journal = slices.Clone(s.actor.Journal)
		s.decode(text, &s.actor.Journal[0])
	case "ask":
		s.decode(strings.TrimPrefix(text, words[0]), s.answerer.Asks[words[0]])
	case "changes":
		s.answerer.Changes = text
	case "files":
		s.files = files
		s.d.opts.Files = files
	case "file":
		if s.files == nil {
			s.files = shelf{}
		}
		content, err := strconv.Unquote(strings.TrimSpace(strings.TrimPrefix(text, words[0])))
		if err != nil {
			s.Fatal(err)
		}
		s.files[words[0]] = content
		s.d.opts.Files = s.files
	default:
		s.Fatalf("unknown command %s", verb)
	}
}

// fail makes the next action fail: with an error, a refusal or a missing reply, as JSON.
func (s *story) fail(text string) {
	var how struct {
		Error   string
		Refusal *model.Refusal
		Changed string
		Note    string
		Unknown bool
	}
	s.decode(text, &how)
	s.actor.Answers = append(s.actor.Answers, func(model.Action) (*model.Outcome, error, bool) {
		switch {
		case how.Unknown:
			return nil, &lostReply{then: func() (*model.Outcome, error) {
				return s.actor.Do(s.Context(), s.actor.ProposalFor(s.actor.Done[0]).Action)
			}}, true
		case how.Refusal != nil:
			return nil, how.Refusal, true
		case how.Changed != "":
			return nil, &model.Changed{Why: textError(how.Changed)}, true
		case how.Note != "":
			return &model.Outcome{Note: how.Note}, nil, true
		}
		return nil, textError(how.Error), true
	})
}

// lostReply is the error of a decision whose reply was lost. The second question for its result is answered.
type lostReply struct {
	asked int
	then  func() (*model.Outcome, error)
}

func (*lostReply) Error() string   { return "it is not known whether it was done" }
func (*lostReply) Why() string     { return "it is not known whether it was done: no answer from build-7" }
func (*lostReply) Command() string { return "gatehouse fleet outcome build-7 19c8a0-77" }

func (r *lostReply) Outcome(context.Context) (*model.Outcome, error) {
	if r.asked++; r.asked == 1 {
		return nil, r
	}
	return r.then()
}

// textError is an error by its text.
type textError string

func (e textError) Error() string { return string(e) }

func (s *story) decode(text string, into any) {
	s.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		s.Fatal(text, err)
	}
}

func (s *story) marshal(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		s.Fatal(err)
	}
	return string(text)
}

// checkDone checks which actions were done.
func (s *story) checkDone(want []model.Action) {
	s.Helper()
	done, project := s.actor.Done, "/src/essay"
	if s.chunks != nil {
		done, project = s.chunks.done, "/src/reader"
	}
	var got []model.Action
	for _, a := range done {
		if a.Project != project {
			s.Fatalf("it was done in %s", a.Project)
		}
		got = append(got, model.Action{Verb: a.Verb, Node: a.Node, Text: a.Text, RecordFailed: a.RecordFailed})
	}
	if !slices.Equal(got, want) {
		s.Fatalf("did %+v, want %+v", got, want)
	}
}

// name returns the name of the shown snapshot that is made again.
func (s *story) name() string {
	switch {
	case s.chunks != nil:
		return "chunks"
	case s.ids != nil:
		return "asks"
	}
	return "loop"
}

func (s *story) snapshot(name string) *model.Snapshot {
	switch name {
	case "loop":
		return s.actor.Snapshot(1)
	case "asks":
		return s.answerer.Snapshot(1, s.ids...)
	}
	parts := strings.Split(name, ":")
	var numbers []int
	for _, n := range parts[1:] {
		numbers = append(numbers, number(n))
	}
	if snapshots[parts[0]] == nil {
		s.Fatalf("no snapshot %q", name)
	}
	return snapshots[parts[0]](numbers...)
}

// edit changes a node of a snapshot: "phase/03=done"; "phase/03=gone" removes it, "waits=1" leaves one wait.
func (s *story) edit(snap *model.Snapshot, change string) {
	id, word, _ := strings.Cut(change, "=")
	b := snap.Projects[0].Builds[0]
	if id == "waits" {
		b.Waits = b.Waits[:number(word)]
		return
	}
	if word == "gone" {
		without(&b.Nodes, id)
		return
	}
	n, _ := b.Find(id)
	status, ok := model.ParseStatus(word)
	if n == nil || !ok {
		s.Fatalf("%s: no such node or status", change)
	}
	n.Status = status
}

// without removes a node.
func without(nodes *[]*model.Node, id string) {
	*nodes = slices.DeleteFunc(*nodes, func(n *model.Node) bool { return n.ID == id })
	for _, n := range *nodes {
		without(&n.Children, id)
	}
}

// clicks clicks the last occurrence of a text on the screen.
func (s *story) clicks(text string) {
	lines := strings.Split(s.screen(), "\n")
	for y := len(lines) - 1; y >= 0; y-- {
		if i := strings.Index(lines[y], text); i >= 0 {
			s.d.carryOut(s.gets(tea.MouseClickMsg{X: len([]rune(lines[y][:i])), Y: y, Button: tea.MouseLeft}))
			return
		}
	}
	s.Fatalf("%q is not on the screen:\n%s", text, s.screen())
}

// open opens a dashboard.
func (s *story) open(name string, width, height int) {
	opts := plainOptions()
	opts.ReadOnly = s.readOnly
	switch name {
	case "loop":
		opts.Actor, opts.Files = s.actor, files
	case "chunks":
		s.chunks = newReaderActor()
		opts.Actor = s.chunks
	case "asks":
		opts.Answerer = s.answerer
	}
	s.d = newDashboard(opts, nil)
	s.d.tick = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }
	s.gets(tea.WindowSizeMsg{Width: width, Height: height})
	s.next(s.snapshot(name))
}

// next shows a snapshot.
func (s *story) next(snap *model.Snapshot) {
	snap.Version = max(snap.Version, s.d.index.Snap.Version+1)
	s.d.carryOut(s.gets(snapshotMsg{index: index.New(snap, s.d.index)}))
	s.does()
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}
