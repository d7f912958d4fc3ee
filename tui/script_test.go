package tui

// User stories as scripts: testdata/scripts/*.txtar. Each file of an archive is a story, a command a line:
//
//	open SNAPSHOT WIDTH HEIGHT  a dashboard of a snapshot; "loop" and "chunks" decide in memory
//	with ID JSON                changes a node of the next snapshot, or "project", "build", "host"; "build@1" is of another project
//	asked ID...                 a dashboard of the asks of an agent
//	show SNAPSHOT               the next snapshot; reread: the loop, the chunks or the asks as they are now
//	keys KEY...                 presses keys, named as in the key table; type and paste a text; click on a text, wheel at a column and a row
//	see, no, on TEXT            a text is on the screen, is not, or is in the selected row; closed: no dialog is open
//	top TEXT, above TEXT        a text is in the first rows; the texts, divided by " | ", are one below the other
//	opens PATH:LINE KEYS        the keys open a file in another program
//	leave                       keeps what the next open of a dashboard finds again
//	did, gave JSON              the actions that were done, or the answers that were given, so far
//	rings TEXT, ran JSON        what the terminal got to notify the user, and the notices of the user's command, since the last check
//
// A text is taken as it stands, or quoted as in Go.

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/rogpeppe/go-internal/txtar"

	"gatehouse/model"
	"gatehouse/tui/decide"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/tuitest"
)

// snapshots are the snapshots of scripts; some are made for a number: "later:2".
var snapshots = map[string]func(n ...int) *model.Snapshot{
	"shop": always(tuitest.Shop), "shops": always(tuitest.Shops), "reader": always(tuitest.Reader), "sessions": always(tuitest.Sessions),
	"measured": always(tuitest.Measured), "fleet": always(tuitest.Fleet), "empty": always(tuitest.EmptyFolder), "phases": always(tuitest.Phases),
	"chunks": always(func() *model.Snapshot { return newReaderActor().snapshot(1) }), "blogs": always(blogs), "pieces": always(tuitest.Chunks), "bare": always(bare),
	"none": always(func() *model.Snapshot { return nil }), "long": long,
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
	opts     Options // of the next dashboard
	size     [2]int
	edits    [][2]string
	keeper   *memoryKeeper
	notifier *memoryNotifier
	raw      string // what the terminal got besides frames
	held     tea.Cmd
}

func newStory(t *testing.T) *story {
	return &story{user: user{T: t}, actor: tuitest.NewActor(), answerer: tuitest.NewAnswerer(), opts: plainOptions()}
}

func TestScripts(t *testing.T) {
	archives, _ := filepath.Glob("testdata/scripts/*.txtar")
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		must(t, err)
		for _, f := range archive.Files {
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+f.Name, func(t *testing.T) {
				newStory(t).play(string(f.Data))
			})
		}
	}
}

// play runs a script.
func (s *story) play(script string) {
	for i, line := range strings.Split(strings.TrimSpace(script), "\n") {
		s.Log(i+1, line)
		if verb, rest, _ := strings.Cut(line, " "); verb != "#" && verb != "" {
			s.run(verb, rest)
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
		if len(words) > 1 {
			s.size = [2]int{number(words[1]), number(words[2])}
		}
		s.open(words[0])
	case "asked":
		s.ids, s.answerer = words, tuitest.NewAnswerer()
		s.size = [2]int{110, 34}
		s.open("asks")
		s.atTop().does("n")
	case "actor":
		s.actor = tuitest.NewActor()
	case "readonly":
		s.opts.ReadOnly = true
	case "nomouse":
		s.opts.NoMouse = true
	case "at":
		s.opts.At = text
	case "keeper":
		s.keeper = &memoryKeeper{kept: map[string]string{}}
		s.opts.Keeper = s.keeper
	case "notifier": // below so many multiplexers; its command may fail
		s.notifier = &memoryNotifier{known: map[string]bool{}, nested: number(words[0])}
		if len(words) > 1 {
			s.notifier.fails = textError(text[len(words[0])+1:])
		}
		s.opts.Notifier = s.notifier
	case "notify":
		s.opts.Notify = Notify(text)
	case "focus":
		s.gets(map[string]tea.Msg{"on": tea.FocusMsg{}, "off": tea.BlurMsg{}}[text])
	case "env":
		s.opts.Env = words
	case "reader":
		s.chunks = newReaderActor()
		s.opts.Actor = s.chunks
	case "actor-only":
		s.opts.Actor = s.actor
	case "answerer":
		s.opts.Answerer = s.answerer
	case "with":
		s.edits = append(s.edits, [2]string{words[0], strings.TrimPrefix(text, words[0])})
	case "show":
		s.next(s.snapshot(words[0]))
	case "reread":
		s.ids = append(s.ids[:0:0], words...)
		s.next(s.snapshot(s.name()))
	case "asks":
		s.ids = words
	case "size":
		s.gets(tea.WindowSizeMsg{Width: number(words[0]), Height: number(words[1])})
	case "keys":
		s.does(words...)
	case "hold": // a key whose effect comes with "release"
		s.held = s.d.pressKey(input.StrokeOf(words[0]))
	case "release":
		s.d.carryOut(s.held)
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
		if s.atTop(); text != "" && !strings.Contains(strings.Join(strings.Split(s.screen(), "\n")[:3], "\n"), text) {
			s.Fatalf("%q is not in the first rows:\n%s", text, s.screen())
		}
	case "goto":
		at := append(words, "", "")
		s.d.tree.GoTo(index.Place{Project: at[0], Build: at[1], Node: at[2]})
		s.d.layOut()
	case "later":
		before := s.d.opts.Clock
		s.d.opts.Clock = func() time.Time { return before().Add(time.Second) }
	case "minute":
		before := s.d.opts.Clock
		s.d.opts.Clock = func() time.Time { return before().Add(time.Minute) }
		s.gets(minuteMsg(s.d.opts.Clock()))
	case "feed-ends":
		s.gets(feedEndedMsg{textError(text)})
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
	case "banner":
		if row := strings.Split(s.screen(), "\n")[bannerRow]; !strings.Contains(row, text) {
			s.Fatalf("the banner is %q", row)
		}
	case "above":
		rest := s.screen()
		for part := range strings.SplitSeq(text, " | ") {
			_, below, ok := strings.Cut(rest, part)
			if !ok {
				s.Fatalf("%q is not on the screen below the others:\n%s", part, s.screen())
			}
			rest = below
		}
	case "opens":
		got := s.opened(words[1:]...)
		if at := fmt.Sprintf("%s:%d", got.path, got.line); got.err == nil && at != words[0] || got.err != nil && words[0] != "nothing" {
			s.Fatalf("opened %s: %v", at, got.err)
		} else if got.err != nil {
			s.gets(got)
		}
	case "ended": // the program that had the terminal
		var err error
		if len(words) > 1 {
			err = textError(strings.Join(words[1:], " "))
		}
		s.d.programEnded(words[0], err)
	case "leave":
		saved := s.keeper.saves
		if err := s.d.saver()(time.Minute); err != nil {
			s.Fatal(err)
		}
		if text == "unchanged" && s.keeper.saves != saved {
			s.Fatal("it was written again")
		}
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
	case "rings":
		if s.raw != text {
			s.Fatalf("the terminal got %q", s.raw)
		}
		s.raw = ""
	case "ran":
		var want []model.Notice
		s.decode(text, &want)
		for i := range s.notifier.ran {
			s.notifier.ran[i].Key, s.notifier.ran[i].Since = "", time.Time{}
		}
		if !slices.Equal(s.notifier.ran, want) {
			s.Fatalf("the command ran for %+v", s.notifier.ran)
		}
		s.notifier.ran = nil
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
			s.actor.SettleError = &model.Overwritten{File: words[0], Lost: words[1:]}
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
	case "request":
		s.decode(strings.TrimPrefix(text, words[0]), &text)
		s.actor.Requests[words[0]] = text
	case "files":
		s.takeFiles(files)
	case "file":
		if s.files == nil {
			s.files = shelf{}
		}
		content, err := strconv.Unquote(strings.TrimSpace(strings.TrimPrefix(text, words[0])))
		if err != nil {
			s.Fatal(err)
		}
		s.files[words[0]] = content
		s.takeFiles(s.files)
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
		Missing []string
	}
	s.decode(text, &how)
	s.actor.Answers = append(s.actor.Answers, func(x model.Action) (*model.Outcome, error, bool) {
		switch {
		case how.Missing != nil:
			s.actor.Change = func(p *model.Proposal) { p.Missing = how.Missing }
			return nil, &model.Changed{Now: s.actor.ProposalFor(x)}, true
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

// shelf holds the files of a project in memory.
type shelf map[string]string

func (s shelf) Text(project, file string) (string, error) {
	text, ok := s[project+"/"+file]
	if !ok {
		return "", textError("no such file or directory")
	}
	return text, nil
}

func (s shelf) Path(project, file string) (string, error) {
	if _, err := s.Text(project, file); err != nil {
		return "", err
	}
	return project + "/" + file, nil
}

var files = shelf{
	"/src/shop/.planning/phases/03-cart/03-UAT.md": "---\nstatus: testing\n---\n" + strings.Repeat("a line that is here\tto be scrolled over\r\n", 37) +
		"result: pending\n" + strings.Repeat("more\n", 30),
	"/src/shop/.planning/STATE.md":                "status: executing\n",
	"/src/shop/.planning/phases/05/05-02-PLAN.md": "---\nplan: 02\n---\n",
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
		if !strings.HasSuffix(a.Project, project) {
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

// change changes a part of a snapshot by JSON: "build", "project", "host" or a node; "build@1" is that of the second project. "also" copies the
// first project to another root, "on" moves all projects to a host, "activity" adds an entry of a log, and "gone" removes a node.
func (s *story) change(snap *model.Snapshot, id, text string) {
	id, at, _ := strings.Cut(id, "@")
	n, _ := strconv.Atoi(at)
	switch id {
	case "also":
		p := *snap.Projects[0]
		p.Root = strings.TrimSpace(text)
		snap.Projects = append(snap.Projects, &p)
	case "on":
		var h model.Host
		s.decode(text, &h)
		snap.Hosts, snap.Projects = []*model.Host{&h}, tuitest.On(&h, snap)
	case "gone":
		without(&snap.Projects[n].Builds[0].Nodes, strings.TrimSpace(text))
	case "activity": // one more
		b := snap.Projects[n].Builds[0]
		b.Activity = append(b.Activity, model.Activity{})
		s.decode(text, &b.Activity[len(b.Activity)-1])
	case "snapshot":
		s.decode(text, snap)
	case "project":
		s.decode(text, snap.Projects[n])
	case "build":
		s.decode(text, snap.Projects[n].Builds[0])
	case "host":
		s.decode(text, snap.Hosts[n])
	default:
		node, _ := snap.Projects[n].Builds[0].Find(id)
		if node == nil {
			s.Fatalf("there is no %s", id)
		}
		s.decode(text, node)
	}
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
func (s *story) open(name string) {
	opts := s.opts
	switch name {
	case "loop":
		opts.Actor = s.actor
		if opts.Files == nil {
			opts.Files = files
		}
	case "chunks":
		s.chunks = newReaderActor()
		opts.Actor = s.chunks
	case "asks":
		opts.Answerer = s.answerer
	}
	s.d = newDashboard(opts, nil)
	s.d.tick = func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil }
	s.gets(tea.WindowSizeMsg{Width: s.size[0], Height: s.size[1]})
	s.next(s.snapshot(name))
}

// takeFiles lets this dashboard and the next ones read from files in memory.
func (s *story) takeFiles(from shelf) {
	s.files, s.opts.Files = from, from
	if s.d != nil {
		s.d.opts.Files = from
	}
}

// next shows a snapshot.
func (s *story) next(snap *model.Snapshot) {
	if snap != nil {
		snap.Version = max(snap.Version, s.d.index.Snap.Version+1)
		for _, e := range s.edits {
			s.change(snap, e[0], e[1])
		}
		s.edits = nil
		ix := index.New(snap, s.d.index)
		msg := snapshotMsg{index: ix}
		if s.keeper != nil {
			msg.kept = loadMemory(s.keeper, ix)
		}
		s.carry(s.gets(msg))
	}
	s.does()
}

// carry carries out a command, and keeps what it writes to the terminal.
func (s *story) carry(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			s.carry(c)
		}
	case tea.RawMsg:
		s.raw += fmt.Sprint(msg.Msg)
	case decide.Result:
		s.carry(s.gets(msg))
	default:
		s.d.carryOut(func() tea.Msg { return msg })
	}
}

// memoryNotifier is a notifier in memory.
type memoryNotifier struct {
	known  map[string]bool
	nested int
	ran    []model.Notice
	fails  error
}

func (c *memoryNotifier) Tell(_ context.Context, all []model.Notice) (fresh []model.Notice, nested int, err error) {
	for _, n := range all {
		if !c.known[n.Key] {
			fresh = append(fresh, n)
		}
		c.known[n.Key] = true
	}
	return fresh, c.nested, nil
}

func (c *memoryNotifier) Run(_ context.Context, fresh []model.Notice) error {
	c.ran = append(c.ran, fresh...)
	return c.fails
}

// bare returns a build without a row, for commands "with".
func bare() *model.Snapshot {
	b := &model.Build{ID: "gsd", Protocol: "gsd", Status: model.Active, File: "STATE.md"}
	return &model.Snapshot{Version: 1, At: tuitest.Noon, Projects: []*model.Project{{Root: "/p", Name: "p", Builds: []*model.Build{b}}}}
}

// long returns a build of thirty phases, the last of which wait.
func long(waiting ...int) *model.Snapshot {
	b := &model.Build{ID: "gsd", Protocol: "gsd", Status: model.Active, File: ".planning/STATE.md"}
	for i := 1; i <= 30; i++ {
		n := tuitest.Phase(fmt.Sprintf("%02d", i), fmt.Sprintf("Part %d", i), model.Done, "Complete", 1, 1, tuitest.Day)
		if i > 25 {
			n.Status, n.Raw, n.Count = model.Pending, "", model.Count{}
		}
		b.Nodes = append(b.Nodes, n)
	}
	for _, i := range waiting {
		n := b.Nodes[i-1]
		n.Status = model.Waiting
		n.Children = []*model.Node{{ID: "gate/" + n.Number, Kind: model.KindGate, Title: "Look at " + n.Title, Status: model.Waiting, Gate: &model.Gate{Approval: model.ApprovalHuman}}}
		b.Waits = append(b.Waits, model.Wait{Node: "gate/" + n.Number, Text: "Look at " + n.Title, Since: tuitest.Ago(tuitest.Day)})
		b.Status = model.Waiting
	}
	return &model.Snapshot{Version: 1, At: tuitest.Noon, Projects: []*model.Project{{Root: "/src/long", Name: "long", Builds: []*model.Build{b}}}}
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}
