package remote

// Documents, requests and replies, also hostile ones.

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// sent reports whether a field is part of the model's JSON.
func sent(f reflect.StructField) bool { return f.IsExported() && f.Tag.Get("json") != "-" }

// fill sets every sent field below v, as far as possible to a value that no other field has.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type() == reflect.TypeFor[*model.Proposal]() { // a proposal has an action, which has a proposal
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		if *n > 2000 { // end the recursion through children
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), n)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(1_700_000_000+int64(*n), 0).UTC()))
			return
		}
		for i := range v.NumField() {
			if sent(v.Type().Field(i)) {
				fill(v.Field(i), n)
			}
		}
	case reflect.Float64:
		v.SetFloat(float64(*n))
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(uint64(*n%5 + 1))
	}
}

// filledBuild returns a build with every field set.
func filledBuild() *model.Build {
	b := &model.Build{}
	n := 0
	v := reflect.ValueOf(b).Elem()
	for i := range v.NumField() {
		if f := v.Type().Field(i); sent(f) && f.Name != "Nodes" {
			fill(v.Field(i), &n)
		}
	}
	b.Progress.Percent, b.Progress.Rounded, b.Unread, b.Resume = 59, true, "a file", &model.Resume{Build: "gsd", Offers: []string{"1 go on"}} // these fields are sent next to the build
	b.Problems[0].Severity, b.Problems[1].Severity = model.Warning, model.Error
	b.Measured.Days[0].Date, b.Measured.Days[1].Date = "2026-01-26", "2026-01-27"
	b.Nodes = []*model.Node{filledNode(&n), filledNode(&n)}
	b.Nodes[0].Children = []*model.Node{filledNode(&n)}
	b.Nodes[0].Children[0].Held = true
	b.Header = &line.GSD{Milestone: "v2.0", Percent: "59", ActivePhase: "4.5"}
	b.Claimed = &line.GSD{Milestone: "v2.0"}
	model.SortWaits(b.Waits)
	return b
}

func filledNode(n *int) *model.Node {
	node := &model.Node{}
	v := reflect.ValueOf(node).Elem()
	for i := range v.NumField() {
		if f := v.Type().Field(i); sent(f) && f.Name != "Children" {
			fill(v.Field(i), n)
		}
	}
	for _, d := range []*model.Decision{node.Gate.Request, node.Gate.Overwritten} {
		d.Spans = nil // the bytes stay on the host
	}
	return node
}

// TestBuildComesBackAsItWas checks that a build that is sent and received has the same fields.
func TestBuildComesBackAsItWas(t *testing.T) {
	b := filledBuild()
	got := received(t, published(t, shop(b)), 0).Project.Builds[0]
	if got, want := line.Full(got.Header), line.Full(b.Header); got != want {
		t.Errorf("line %q, want %q", got, want)
	}
	if got, want := line.Full(got.Claimed), line.Full(b.Claimed); got != want {
		t.Errorf("claimed %q, want %q", got, want)
	}
	got.Header, got.Claimed, b.Header, b.Claimed = nil, nil, nil, nil
	checkSame(t, "build", got, b)
}

// checkSame fails if what was received is not what was sent.
func checkSame(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, encodeJSON(got), encodeJSON(want))
	}
}

// TestTimesAreConverted checks that times of a host are converted to the local clock.
func TestTimesAreConverted(t *testing.T) {
	at := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	b := &model.Build{ID: "gsd", Waits: []model.Wait{{Since: at}}, Freshness: model.Freshness{Changed: at}}
	got := received(t, published(t, shop(b)), 90*time.Minute).Project.Builds[0]
	if want := at.Add(-90 * time.Minute); !got.Waits[0].Since.Equal(want) || !got.Freshness.Changed.Equal(want) || !got.Freshness.Claimed.IsZero() {
		t.Error(got)
	}
	// A time that can't be written as JSON counts as unknown; otherwise the whole document could not be written.
	b.Freshness.Changed = time.Date(9990, 1, 1, 0, 0, 0, 0, time.UTC)
	data := published(t, shop(b))
	for ahead, none := range map[time.Duration]bool{-200 * 365 * 24 * time.Hour: true, 200 * 365 * 24 * time.Hour: false, math.MaxInt64: false} {
		if got := received(t, data, ahead).Project.Builds[0]; got.Freshness.Changed.IsZero() != none {
			t.Errorf("%v: %v", ahead, got.Freshness.Changed)
		}
	}
}

// published returns the document that a host publishes.
func published(t *testing.T, p *model.Project, sessions ...model.Session) []byte {
	t.Helper()
	_, packed := newDocument(p, sessions, &Origin{"build-7", "s", 1})
	if len(packed) > packedLimit {
		t.Errorf("%d bytes", len(packed))
	}
	return packed
}

// received parses a published document.
func received(t *testing.T, data []byte, ahead time.Duration) *Project {
	t.Helper()
	doc, _, err := decodeDocument(data, ahead)
	if err != nil || len(doc.Projects) != 1 || doc.Host != "build-7" {
		t.Fatal(err)
	}
	return &doc.Projects[0]
}

// shop returns a project with builds.
func shop(builds ...*model.Build) *model.Project {
	return &model.Project{Root: "/src/shop", Name: "shop", Builds: builds}
}

// TestProposalOutcomeAndErrorsComeBackAsTheyWere checks that replies keep proposals, decisions and errors.
func TestProposalOutcomeAndErrorsComeBackAsTheyWere(t *testing.T) {
	p, d, n := &model.Proposal{}, model.Decision{}, 0
	fill(reflect.ValueOf(p).Elem(), &n)
	fill(reflect.ValueOf(&d).Elem(), &n)
	d.Spans = nil
	send := func(r *Reply) *Reply {
		t.Helper()
		r.Schema = Schema
		back, err := parseReply(packMessage(encodeJSON(r)), 0)
		must(t, err)
		return back
	}
	got := send(&Reply{Outcome: Outcome{Decision: &d, Note: "note"}, Proposal: sentProposal(p)})
	checkSame(t, "proposal", got.Proposal, p)
	checkSame(t, "decision", got.Decision, &d)
	for _, want := range []error{
		&model.Refusal{Code: "E_FORBIDDEN", Text: "it has failed", Fix: "retry it"}, &model.Refusal{Text: "it has passed", Already: true},
		&model.Changed{Now: p}, &model.Changed{Why: &model.Refusal{Text: "gone"}}, errors.New("the disk is full"),
	} {
		r := &Reply{}
		r.setError(want)
		if err := send(r).err(); err == nil || err.Error() != want.Error() || reflect.TypeOf(err) != reflect.TypeOf(want) {
			t.Errorf("%#v, want %#v", err, want)
		}
	}
}

// TestSubjectTokens checks that tokens of names are valid parts of a subject and differ for different names.
func TestSubjectTokens(t *testing.T) {
	valid := regexp.MustCompile(`^[-_=a-zA-Z0-9]{1,100}$`)
	seen := map[string]string{}
	check := func(name string) bool {
		k := subjectToken(name)
		before, known := seen[k]
		seen[k] = name
		return valid.MatchString(k) && (!known || before == name)
	}
	for _, name := range []string{"", ".", "*", ">", " ", "=", "=2E", "a.b", "a*b", "a>b", "a\x00b", "ü", "host\r\nPUB x 1", "-", "_", "$KV",
		strings.Repeat("x", 79), strings.Repeat("x", 80), strings.Repeat("x", 81), strings.Repeat("ü", 13), strings.Repeat("ü", 14), strings.Repeat("ü", 5000), strings.Repeat("ü", 5001)} {
		if !check(name) {
			t.Errorf("%q has the token %q, as %q has", name, subjectToken(name), seen[subjectToken(name)])
		}
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
	if subjectToken("build-7") != "build-7" || subjectToken("my host") != "my=20host" || keyOf("h", "/a/shop", "shop") == keyOf("h", "/b/shop", "shop") {
		t.Error(subjectToken("build-7"), subjectToken("my host"))
	}
}

// noise returns a random text of n bytes, which hardly compresses.
func noise(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + r.IntN(64))
	}
	return string(b)
}

// TestDocumentsAlwaysFit checks that a project that is too large loses its log first, then details, then rows that do not wait, and that
// problems report it.
func TestDocumentsAlwaysFit(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	build := func(nodes, waits, text int, change func(*model.Build)) *model.Build {
		b := &model.Build{ID: "gsd"}
		for i := range nodes {
			id := fmt.Sprintf("gate/%d", i)
			b.Nodes = append(b.Nodes, &model.Node{ID: id, Kind: model.KindGate, Title: noise(r, text), Gate: &model.Gate{Can: []model.Verb{model.VerbApprove}}, DependsOn: []string{"gate/0"}})
			if i < waits {
				b.Waits = append(b.Waits, model.Wait{Node: id, Text: noise(r, text), Evidence: model.Reached})
			}
		}
		if change != nil {
			change(b)
		}
		return b
	}
	for what, c := range map[string]struct {
		build               *model.Build
		builds, nodes, rest int // received builds, rows and waits
		problem             string
	}{
		"ten thousand rows": {build: build(10_000, 10, 10, nil), builds: 1, nodes: 10_000, rest: 10},
		"a long log": {build: build(600, 600, 10, func(b *model.Build) {
			for range 700 {
				b.Activity = append(b.Activity, model.Activity{Text: noise(r, 1000)})
			}
		}), builds: 1, nodes: maxWaits, rest: maxWaits, problem: "700 entries of the log are not shown here"},
		"many details": {build: build(600, 600, 10, func(b *model.Build) {
			for _, n := range b.Nodes {
				n.Facts = []model.Fact{{Label: "x", Value: noise(r, 600)}, {Label: "y", Value: noise(r, 600)}}
			}
		}), builds: 1, nodes: maxWaits, rest: maxWaits, problem: "500 waits are not shown here"},
		"long names":      {build: build(600, 600, 500, nil), builds: 1, nodes: maxWaits, rest: maxWaits, problem: "500 waits are not shown here"},
		"very long names": {build: build(110, 110, 3000, nil), problem: "1 builds with 110 waits are not shown here"},
	} {
		t.Run(what, func(t *testing.T) {
			before := string(encodeJSON(c.build))
			p := shop(c.build)
			got := received(t, published(t, p), 0)
			if string(encodeJSON(c.build)) != before {
				t.Error("the build itself was changed")
			}
			if c.builds == 0 {
				if len(got.Builds) > 0 || !strings.Contains(fmt.Sprint(got.Problems), c.problem) {
					t.Error(len(got.Builds), got.Problems)
				}
				return
			}
			b := got.Project.Builds[0]
			if len(b.Nodes) != c.nodes || len(b.Waits) != c.rest || !strings.Contains(fmt.Sprint(b.Problems), c.problem) || c.problem == "" && len(b.Problems) > 0 {
				t.Errorf("%d rows, %d waits, %v", len(b.Nodes), len(b.Waits), b.Problems)
			}
			if c.nodes < len(c.build.Nodes) && len(b.Nodes[0].DependsOn) > 0 {
				t.Error("a row names one that is not here")
			}
		})
	}

	// Only the first entries of long lists are sent.
	p := shop()
	var sessions []model.Session
	for i := range 100 {
		p.Builds = append(p.Builds, &model.Build{ID: fmt.Sprint(i)})
		p.Decisions = append(p.Decisions, model.Decision{Name: "x"})
		p.Problems = append(p.Problems, model.Problem{Text: "x"})
		sessions = append(sessions, model.Session{Title: "x"})
	}
	got := received(t, published(t, p, sessions...), 0)
	if len(got.Builds) != 100 || len(got.Decisions) != maxDecisions || len(got.Problems) != maxProblems || len(got.Sessions) != maxSessions {
		t.Errorf("%d builds, %d decisions, %d problems, %d sessions", len(got.Builds), len(got.Decisions), len(got.Problems), len(got.Sessions))
	}
}

// TestInvalidRequests checks that malformed and oversized requests are refused.
func TestInvalidRequests(t *testing.T) {
	if _, err := parseRequest(encodeJSON(&Request{Schema: 1, Action: model.Action{Verb: "approve", Project: "/x"}})); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		`{}`, `[]`, `{"schema":2,"verb":"status"}`, `{"schema":1,"verb":"answer"}`, `{"schema":1,"verb":"status","project":"\u0000"}`,
		`{"schema":1,"verb":"status","x":"` + strings.Repeat("x", requestLimit) + `"}`,
	} {
		if _, err := parseRequest([]byte(bad)); err == nil {
			t.Errorf("taken: %.80s", bad)
		}
	}
}

// countingAnswerer is an answerer that counts answers.
type countingAnswerer struct {
	model.Answerer
	answers int
}

func (a *countingAnswerer) Ask(context.Context, string) (*model.Ask, error) {
	return &model.Ask{Project: "/src/shop"}, nil
}

func (a *countingAnswerer) Answer(context.Context, string, model.Answer) (*model.Ask, error) {
	a.answers++
	return nil, nil
}

// TestAnswerIsADecision checks that a viewer can't send an answer, even one marked as a dry run: answers have no dry run.
func TestAnswerIsADecision(t *testing.T) {
	for _, decides := range []bool{false, true} {
		a := &countingAnswerer{}
		h := NewHost(HostOptions{Name: "build-7", Rules: []Rule{{User: "*"}}, Answerer: func(string) model.Answerer { return a }})
		h.snap = &model.Snapshot{Projects: []*model.Project{shop()}}
		close(h.known)
		r := &Request{Schema: Schema, Action: model.Action{Verb: model.VerbAnswer, Project: "/src/shop"}, Ask: "k7f3q2ma", Answer: &model.Answer{Text: "yes"}, DryRun: true}
		reply, err := parseReply(h.answer(t.Context(), asker{user: "bob", trusted: true, decides: decides}, encodeJSON(r)), 0)
		must(t, err)
		if want := map[bool]string{true: ResultDone, false: resultRefused}[decides]; reply.Result != want || (a.answers == 1) != decides {
			t.Errorf("decides %v: %s, %s, %d answers", decides, reply.Result, reply.Why, a.answers)
		}
	}
}

// message is a message that a host has published under a key.
type message struct {
	key  string
	data []byte
}

// messages is a publisher that passes every message to the test.
type messages chan message

func (m messages) publish(key string, data []byte) error {
	m <- message{key, data}
	return nil
}

// TestLostRemoval checks that the removal of a project is published again if the hub has lost it. Otherwise the project would be shown
// for days.
func TestLostRemoval(t *testing.T) {
	h := NewHost(HostOptions{Name: "build-7", Now: time.Now, PresenceEvery: 100 * time.Millisecond})
	here, key := hostKey("build-7"), keyOf("build-7", "/src/shop", "shop")
	h.snap = &model.Snapshot{Projects: []*model.Project{shop()}}
	published := make(messages, 100)
	go h.publishAll(t.Context(), published)
	expect := func(what string, isRemoval bool) {
		t.Helper()
		for {
			select {
			case m := <-published:
				if m.key == here && m.data == nil {
					t.Fatal("the host removes itself")
				}
				if m.key == key && (m.data == nil) == isRemoval {
					return
				}
			case <-time.After(5 * time.Second):
				t.Fatal("not in time: " + what)
			}
		}
	}
	expect("the project is published", false)
	h.mu.Lock()
	h.snap = &model.Snapshot{}
	h.mu.Unlock()
	h.wakeUp()
	expect("it is removed", true)
	h.repeat(here)
	h.repeat(key)
	expect("it is removed again", true)
}

// slow is a feed whose first snapshot takes a while.
type slow struct{ still }

func (s slow) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	select {
	case <-time.After(100 * time.Millisecond):
	case <-ctx.Done():
	}
	return s.still.Next(ctx, after)
}

// TestRequestBeforeTheFirstSnapshot checks that a host that has just started waits for its projects before it refuses a request. A
// dashboard whose connection broke repeats a decision at once, and would take the refusal for its result.
func TestRequestBeforeTheFirstSnapshot(t *testing.T) {
	p := shop()
	h := NewHost(HostOptions{Name: "build-7", Now: time.Now, Feed: slow{still{&model.Snapshot{Version: 1, Projects: []*model.Project{p}}}}})
	go h.followFeed(t.Context())
	reply, err := parseReply(h.answer(t.Context(), asker{}, encodeJSON(&Request{Schema: Schema, Action: model.Action{Verb: readText, Project: p.Root}, Path: "x"})), 0)
	if err != nil || !strings.Contains(reply.Why, "no build of shop names it") {
		t.Errorf("%+v, %v", reply, err)
	}
}

// scriptedWay is a way to a host whose replies come from next.
type scriptedWay struct {
	Way
	next func() ([]byte, error)
}

func (w scriptedWay) ask(context.Context, string, *Request) ([]byte, error) { return w.next() }

// TestLeavingHostAfterALostReply: a host that is leaving, or has no projects yet, does not judge a request. If an earlier reply to the same
// request was lost, its result stays unknown.
func TestLeavingHostAfterALostReply(t *testing.T) {
	leaving := NewHost(HostOptions{Name: "build-7", Now: time.Now, Feed: still{}})
	leaving.busy.Lock()
	unknowing, gone := NewHost(HostOptions{Name: "build-7", Now: time.Now, Feed: still{}}), context.WithoutCancel(t.Context())
	gone, cancel := context.WithCancel(gone)
	cancel()
	r := &Request{Schema: Schema, Action: model.Action{Verb: model.VerbApprove, Project: "/shop", Node: "gate/frame"}}
	for name, answer := range map[string]func() []byte{
		"leaving":          func() []byte { return leaving.answer(t.Context(), asker{decides: true}, encodeJSON(r)) },
		"no projects, yet": func() []byte { return unknowing.answer(gone, asker{decides: true}, encodeJSON(r)) },
	} {
		for _, lost := range []int{0, 1} {
			n := 0
			h := &host{source: &source{isUp: true, way: scriptedWay{next: func() ([]byte, error) {
				if n++; n <= lost {
					return nil, errNoReply
				}
				return answer(), nil
			}}}}
			v := &View{Options: Options{Now: time.Now}, fresh: make(chan struct{})}
			h.source.view = v
			_, err := v.request(t.Context(), h, r)
			var refused *model.Refusal
			if want := lost == 0; errors.As(err, &refused) != want || errors.Is(err, errNoReply) == want {
				t.Errorf("%s, %d replies lost: %v", name, lost, err)
			}
		}
	}
}

// bomb is a short message that unpacks to 64 MiB.
var bomb = func() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for range 64 {
		w.Write(make([]byte, 1<<20))
	}
	w.Close()
	return b.Bytes()
}()

// wrapped returns a document with one project that has the given build.
func wrapped(build string) []byte {
	return []byte(`{"schema":1,"projects":[{"root":"/x","name":"x","builds":[` + build + `]}]}`)
}

// TestHostileMessagesAreRefused checks that hostile documents are refused, or cleaned if they can be shown.
func TestHostileMessagesAreRefused(t *testing.T) {
	start := `{"id":"x","protocol":"gsd","nodes":[`
	for what, message := range map[string]string{
		"deep":          start + strings.Repeat(`{"id":"a","children":[`, 60),
		"many objects":  start + strings.Repeat(`{},`, 300_000) + `{}]}`,
		"a null":        start + `null]}`,
		"many numbers":  start + strings.Repeat(`1,`, 200_000) + `1]}`,
		"two of a name": start + `{"id":"a","kind":"plan"},{"id":"b","children":[{"id":"a"}]}]}`,
		"no ID":         start + `{"kind":"plan"}]}`,
		"no build ID":   `{"protocol":"gsd"}`,
		"a number":      `{"id":"x","progress":{"percent":1e99}}`,
		"no JSON":       `{"id":"x"`,
		"long":          strings.Repeat(" ", documentLimit) + `{"id":"x"}`,
		"NUL in a name": `{"id":"x\u0000"}`,
	} {
		if _, _, err := decodeDocument(wrapped(message), 0); err == nil {
			t.Errorf("%s: taken", what)
		} else if strings.ContainsAny(err.Error(), "\n\x00") || len(err.Error()) > 300 {
			t.Errorf("%s: %q", what, err)
		}
	}
	if _, _, err := decodeDocument(bomb, 0); err == nil || !strings.Contains(err.Error(), "are allowed") {
		t.Errorf("a bomb: %v", err)
	}
	b := received(t, []byte(strings.Replace(string(wrapped(`{"id":"x","title":"\u001b[2Jx\u202e","status":"mad","progress":{"known":true,"percent":1000,"phases":{"done":-5,"total":99999999999999}},`+
		`"waits":[{"text":"a\nb","evidence":"?"}],"header":{"full":[{"rank":99,"text":[{"role":99,"text":"a\u001bb"}]}],"compact":[]},"freshness":{"changed":"0001-01-01T00:00:01Z"}}`)), `"schema":1,`, `"schema":1,"host":"build-7",`, 1)), 0).Project.Builds[0]
	if b.Title != "\uFFFD[2Jx" || b.Status != model.Unknown || b.Progress.Percent != 100 || b.Progress.Phases.Done != 0 || len(b.Waits) != 1 ||
		b.Waits[0].Text != "a b" || b.Waits[0].Evidence != model.Outstanding || line.Full(b.Header) != "a\uFFFDb" || !b.Freshness.Changed.IsZero() {
		t.Errorf("%+v", b)
	}
}

// FuzzDocument looks for documents that crash the parser, or that are accepted although they contain what no model may have.
func FuzzDocument(f *testing.F) {
	b := &model.Build{ID: "gsd", Nodes: []*model.Node{{ID: "a", Kind: model.KindGate, Gate: &model.Gate{Asks: "b", Can: []model.Verb{model.VerbApprove}}}}}
	_, packed := newDocument(&model.Project{Root: "/src/shop", Name: "shop", Builds: []*model.Build{b}}, []model.Session{{ID: "s"}}, &Origin{"build-7", "s", 1})
	f.Add(packed)
	f.Add(wrapped(`{"id":"gsd","nodes":[null,{"id":"a","children":[{}]}]}`))
	f.Add(wrapped(`{"id":"gsd","header":{"full":[{"part":true,"rank":5,"text":[{"role":1,"text":"["}]}],"compact":[]},"claimed":"x","measured":{"days":[{"date":"2026-01-26"}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, _, err := decodeDocument(data, -time.Hour)
		if err != nil {
			clean(t, err.Error())
			return
		}
		for _, p := range doc.Projects {
			clean(t, p.Name)
			for _, b := range p.Project.Builds {
				sound(t, b)
			}
			if _, again := newDocument(p.Project, nil, doc.Origin); len(again) == 0 { // an accepted document can be sent again
				t.Error("it can't be sent")
			}
		}
	})
}

// FuzzRequest looks for requests that crash the parser or get an error that may act on a terminal.
func FuzzRequest(f *testing.F) {
	f.Add(encodeJSON(&Request{Schema: 1, Action: model.Action{Verb: "approve", Project: "/x", Text: "\x00"}}))
	f.Add([]byte(`{"schema":1,"verb":"status"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := parseRequest(data); err != nil {
			clean(t, err.Error())
		}
	})
}

// FuzzReply looks for replies that crash the parser or keep text that may act on a terminal.
func FuzzReply(f *testing.F) {
	p := &model.Proposal{Name: "frame-gate", Edits: []model.Edit{{Label: "a", Old: "b"}}, Wants: "reason", Since: time.Unix(1e9, 0)}
	r := &Reply{Outcome: NewOutcome(ResultDryRun, &model.Outcome{Proposal: p}), Proposal: p}
	f.Add(encodeJSON(r))
	r.setError(&model.Changed{Now: p})
	f.Add(encodeJSON(r))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parseReply(data, 0)
		if err != nil {
			clean(t, err.Error())
			return
		}
		if p := r.Proposal; p != nil {
			clean(t, p.Effect+p.Asks+p.Name)
		}
		if d := r.Decision; d != nil {
			clean(t, r.Note+d.Who)
		}
		if err := r.err(); err != nil {
			clean(t, err.Error())
		}
	})
}

// clean fails if a text may act on a terminal.
func clean(t *testing.T, s string) {
	t.Helper()
	if s != line.Clean(s) {
		t.Errorf("%q may act on a terminal", s)
	}
}

// sound fails unless the IDs of a build are unique and its texts are clean.
func sound(t *testing.T, b *model.Build) {
	t.Helper()
	seen := map[string]bool{}
	for _, n := range model.Walk(b.Nodes) {
		if n.ID == "" || seen[n.ID] {
			t.Errorf("two nodes %q", n.ID)
		}
		seen[n.ID] = true
		clean(t, n.Title+n.Raw+n.Why)
	}
	clean(t, b.Title+b.Why+b.Raw)
	if b.Header != nil {
		clean(t, line.Full(b.Header))
	}
	for _, w := range b.Waits {
		clean(t, w.Text)
	}
}
