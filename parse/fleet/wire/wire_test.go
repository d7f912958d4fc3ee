package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// sent reports whether a field is a part of the model's JSON.
func sent(f reflect.StructField) bool { return f.IsExported() && f.Tag.Get("json") != "-" }

// fill sets every field that is sent below v to a value that no other field has.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type() == reflect.TypeFor[*model.Proposal]() { // it has an action, which has one
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		if *n > 2000 { // children of children
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

// filledBuild returns a build in which every field is set.
func filledBuild() *model.Build {
	b := &model.Build{}
	n := 0
	v := reflect.ValueOf(b).Elem()
	for i := range v.NumField() {
		if f := v.Type().Field(i); sent(f) && f.Name != "Nodes" {
			fill(v.Field(i), &n)
		}
	}
	b.Progress.Percent, b.Progress.Rounded, b.Unread, b.Resume = 59, true, "a file", &model.Resume{Build: "gsd", Offers: []string{"1 go on"}} // sent beside it
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

func TestBuildComesBackAsItWas(t *testing.T) {
	b := filledBuild()
	data, err := Whole(b)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeWhole(data, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(got.Header.AppendFull(nil)), string(b.Header.AppendFull(nil)); got != want {
		t.Errorf("line %q, want %q", got, want)
	}
	if got, want := string(got.Claimed.AppendCompact(nil)), string(b.Claimed.AppendFull(nil)); got != want {
		t.Errorf("claimed %q, want %q", got, want)
	}
	got.Header, got.Claimed, b.Header, b.Claimed = nil, nil, nil, nil
	differences(t, "build", reflect.ValueOf(*got), reflect.ValueOf(*b))
}

// differences names the fields that differ.
func differences(t *testing.T, path string, got, want reflect.Value) {
	t.Helper()
	switch want.Kind() {
	case reflect.Pointer:
		if got.IsNil() != want.IsNil() {
			t.Errorf("%s: %v, want %v", path, got, want)
		} else if !want.IsNil() {
			differences(t, path, got.Elem(), want.Elem())
		}
	case reflect.Slice:
		if got.Len() != want.Len() {
			t.Errorf("%s: %d entries, want %d", path, got.Len(), want.Len())
			return
		}
		for i := range want.Len() {
			differences(t, fmt.Sprintf("%s[%d]", path, i), got.Index(i), want.Index(i))
		}
	case reflect.Struct:
		if at, ok := want.Interface().(time.Time); ok {
			if !got.Interface().(time.Time).Equal(at) {
				t.Errorf("%s: %v, want %v", path, got, want)
			}
			return
		}
		for i := range want.NumField() {
			if want.Type().Field(i).IsExported() {
				differences(t, path+"."+want.Type().Field(i).Name, got.Field(i), want.Field(i))
			}
		}
	default:
		if !reflect.DeepEqual(got.Interface(), want.Interface()) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

func TestProposalOutcomeAndErrorsComeBackAsTheyWere(t *testing.T) {
	p, d, n := &model.Proposal{}, model.Decision{}, 0
	fill(reflect.ValueOf(p).Elem(), &n)
	fill(reflect.ValueOf(&d).Elem(), &n)
	d.Spans = nil
	send := func(r *Reply) (*model.Proposal, *model.Outcome, error) {
		t.Helper()
		r.Reply = AskDecide
		back, part, err := ParseReply(AskDecide, EncodeReply(r, []byte("bytes\n\x00behind")))
		if err != nil || string(part) != "bytes\n\x00behind" {
			t.Fatal(err, part)
		}
		if err := back.Clean(0); err != nil {
			t.Fatal(err)
		}
		return back.Proposal, back.Outcome, back.Error.Err()
	}
	got, o, err := send(&Reply{Proposal: EncodeProposal(p), Outcome: EncodeOutcome(&model.Outcome{Proposal: p, Decision: d, Note: "note"})})
	if err != nil {
		t.Fatal(err)
	}
	differences(t, "proposal", reflect.ValueOf(*got), reflect.ValueOf(*p))
	differences(t, "outcome", reflect.ValueOf(*o), reflect.ValueOf(model.Outcome{Proposal: p, Decision: d, Note: "note"}))

	for _, want := range []error{
		&model.Refusal{Code: "E_FORBIDDEN", Text: "it has failed", Fix: "retry it", Already: true},
		&model.Changed{Now: p},
		&model.Changed{Why: &model.Refusal{Text: "gone"}},
		&model.Overwritten{File: "a/state.json", Lost: []string{"gates.x"}},
		errors.New("the disk is full"),
	} {
		_, _, err := send(&Reply{Error: EncodeError(want)})
		if err == nil || err.Error() != want.Error() || want != nil && reflect.TypeOf(err) != reflect.TypeOf(want) {
			t.Errorf("%#v, want %#v", err, want)
		}
	}
}

func TestTimesAreTurnedIntoOurs(t *testing.T) {
	at := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	b := &model.Build{ID: "gsd", Waits: []model.Wait{{Since: at}}, Freshness: model.Freshness{Changed: at}}
	data, _ := Whole(b)
	got, err := DecodeWhole(data, 90*time.Minute)
	if want := at.Add(-90 * time.Minute); err != nil || !got.Waits[0].Since.Equal(want) || !got.Freshness.Changed.Equal(want) || !got.Freshness.Claimed.IsZero() {
		t.Error(got, err)
	}
	// One that is not of our time counts for nothing: it would keep all from being written as JSON.
	b.Freshness.Changed = time.Date(9990, 1, 1, 0, 0, 0, 0, time.UTC)
	data, _ = Whole(b)
	for ahead, none := range map[time.Duration]bool{-200 * 365 * 24 * time.Hour: true, 200 * 365 * 24 * time.Hour: false, math.MaxInt64: false} {
		if got, err := DecodeWhole(data, ahead); err != nil || got.Freshness.Changed.IsZero() != none {
			t.Errorf("%v: %v, %v", ahead, got.Freshness.Changed, err)
		}
	}
}

func TestTokensBreakNoSubject(t *testing.T) {
	valid := regexp.MustCompile(`^[-_=a-zA-Z0-9]{1,100}$`)
	seen := map[string]string{}
	check := func(name string) bool {
		token := Token(name)
		before, known := seen[token]
		seen[token] = name
		whole := strings.Contains(token, "==") || Untoken(token) == name
		return whole && valid.MatchString(token) && (!known || before == name) && valid.MatchString(ProjectToken("/x", name))
	}
	for _, name := range []string{"", ".", "*", ">", " ", "=", "=2E", "a.b", "a*b", "a>b", "a\x00b", "ü", "host\r\nPUB x 1", "-", "_", "$KV",
		strings.Repeat("x", 77), strings.Repeat("x", 78), strings.Repeat("x", 79), strings.Repeat("x", 80), strings.Repeat("x", 81),
		strings.Repeat("ü", 13), strings.Repeat("ü", 14), strings.Repeat("ü", 5000), strings.Repeat("ü", 5001)} {
		if !check(name) {
			t.Errorf("%q has the token %q, as %q has", name, Token(name), seen[Token(name)])
		}
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
	if Token("build-7") != "build-7" || Token("my host") != "my=20host" {
		t.Error(Token("build-7"), Token("my host"))
	}
	if ProjectToken("/a/shop", "shop") == ProjectToken("/b/shop", "shop") {
		t.Error("two projects of one name are told apart by nothing")
	}
}

func TestIDsHoldTheirTime(t *testing.T) {
	now := time.Date(2026, 3, 14, 12, 0, 0, 123_000_000, time.UTC)
	a, b := NewID(now), NewID(now)
	at, err := IDTime(a)
	if err != nil || !at.Equal(now) || a == b {
		t.Error(a, b, at, err)
	}
	for _, id := range []string{"", "x", a + "0", strings.ToUpper(a), strings.ReplaceAll(a, "-", ""), a[:14] + "4" + a[15:], "../../../../../../etc/passwd-aaaaaaaa", strings.Replace(a, "-", "0", 1)} {
		if id == a {
			continue
		}
		if _, err := IDTime(id); err == nil {
			t.Errorf("%q is taken for an ID", id)
		}
	}
}

func TestDigestTellsWhatIsCurrent(t *testing.T) {
	var a, b Digest
	a.Add("gh.h.p", 1)
	a.Add("gh.h.q", 2)
	b.Add("gh.h.q", 2)
	if a == b {
		t.Error("a lost message does not show")
	}
	b.Add("gh.h.p", 1)
	if a != b {
		t.Error("the order counts")
	}
	a.Drop("gh.h.p", 1)
	a.Add("gh.h.p", 3)
	if a == b {
		t.Error("a newer message does not show")
	}
}

func head(kind string) Head {
	return Head{V: 1, Kind: kind, Host: "build-7", Boot: 7, Seq: 1, At: time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)}
}

func TestMessagesBelongUnderTheirKeys(t *testing.T) {
	build := &Build{Head: head(KindBuild), Root: "/src/shop", Name: "shop", Build: &Body{Build: &model.Build{ID: "gsd"}}}
	project := &Project{Head: head(KindProject), Root: "/src/shop", Name: "shop", Builds: []string{"gsd"}}
	keys := map[string]any{
		HostKey("build-7"): &Presence{Head: head(KindPresence)}, ProjectKey("build-7", "/src/shop", "shop"): project, ProjectKey("build-7", "/src/shop", "shop", "gsd"): build,
	}
	for key, m := range keys {
		got, err := ParseMessage(key, Encode(m))
		if err != nil || reflect.TypeOf(got) != reflect.TypeOf(m) {
			t.Errorf("%s: %v, %v", key, got, err)
		}
		for _, other := range []string{HostKey("build-8"), HostKey("build-8") + ".x", key + ".x", "gh.", "", ProjectKey("build-7", "/src/other", "shop")} {
			if _, err := ParseMessage(other, Encode(m)); err == nil {
				t.Errorf("what belongs under %s is taken under %s", key, other)
			}
		}
	}
	if _, err := ParseMessage(HostKey("build-8")+".x", Encode(&Gone{head(KindGone)})); err == nil {
		t.Error("a host takes away what is another's")
	}
	if m, err := ParseMessage("gh.x", []byte(`{"v":1,"kind":"moon","host":"x","boot":1,"seq":1,"at":"2026-01-01T00:00:00Z"}`)); m != nil || err != nil {
		t.Error("a kind that is not known yet is a fault", m, err)
	}
	if _, err := ParseMessage("gh.x", []byte(`{"v":2,"kind":"host"}`)); !errors.Is(err, ErrNewer) {
		t.Error(err)
	}
}

func TestSummariesAlwaysFit(t *testing.T) {
	long := strings.Repeat("very long ", 1_500)
	b := &model.Build{ID: "gsd", Title: long, Why: long, Next: &model.Next{Command: long}}
	for i := range 600 {
		id := fmt.Sprintf("gate/%d", i)
		b.Nodes = append(b.Nodes, &model.Node{ID: id, Kind: model.KindGate, Title: long, Gate: &model.Gate{Asks: long, Can: []model.Verb{model.VerbApprove}}})
		b.Waits = append(b.Waits, model.Wait{Node: id, Text: long, Evidence: model.Reached})
		b.Blockers = append(b.Blockers, model.Blocker{Text: long})
	}
	body := Summarize(b)
	m := &Build{Head: head(KindBuild), Root: "/src/shop", Name: "shop", Build: body}
	data := Encode(m)
	if len(data) > SummaryLimit {
		t.Fatalf("%d bytes", len(data))
	}
	if body.Left["waits"] == 0 || body.Left["waits"] >= 600 || len(body.Waits)+body.Left["waits"] != 600 {
		t.Errorf("%d waits are told, %d left out", len(body.Waits), body.Left["waits"])
	}
	parsed, err := ParseMessage(ProjectKey("build-7", "/src/shop", "shop", "gsd"), data)
	if err != nil {
		t.Fatal(err)
	}
	got, err := parsed.(*Build).Decode(data, 0)
	if err != nil || !got.Partial || len(got.Problems) == 0 || !strings.Contains(got.Problems[0].String(), "not shown") {
		t.Error(err, got.Problems)
	}

	// With its tree, details go first, and then it is refused.
	if _, err := Whole(b); err == nil {
		t.Error("a tree of gigabytes is sent")
	}
	for _, n := range b.Nodes {
		n.Title, n.Gate.Asks = "", ""
		n.Facts = []model.Fact{{Label: "x", Value: long}, {Label: "y", Value: long}}
	}
	b.Waits, b.Blockers, b.Title, b.Why, b.Next = nil, nil, "", "", nil
	if data, err := Whole(b); err != nil || !json.Valid(data) || !strings.Contains(string(data), `"left_out":{"details of rows":1200}`) {
		t.Error(err, len(data))
	}
}

// Of a file that is half-written every node is held: their names must not take the room of the gates.
func TestSummaryOfAHalfWrittenFileHasItsWaits(t *testing.T) {
	b := &model.Build{ID: "loop", Waits: []model.Wait{{Node: "gate/a"}}, Nodes: []*model.Node{{ID: "gate/a", Held: true, Gate: &model.Gate{}}}}
	for i := range 8_000 {
		b.Nodes = append(b.Nodes, &model.Node{ID: fmt.Sprintf("phase/with-a-long-name-%d", i), Held: true})
	}
	if body := Summarize(b); len(body.Waits) != 1 || !slices.Equal(body.Held, []string{"gate/a"}) || len(Encode(body)) > 2_000 {
		t.Errorf("%d waits, %d held", len(body.Waits), len(body.Held))
	}
	data, err := Whole(b)
	if err != nil {
		t.Fatal(err)
	}
	if whole, err := DecodeWhole(data, 0); err != nil || !whole.Nodes[8_000].Held {
		t.Error(err)
	}
}

func TestProjectsAlwaysFit(t *testing.T) {
	for what, size := range map[string]int{"usual": 20, "long": 2_000, "very long": 10_000} {
		many := 100 // too much already, but for what is short
		if size == 20 {
			many = 1_200
		}
		long := strings.Repeat("x", size)
		p := &model.Project{Root: "/src/shop", Name: "shop"}
		var sessions []model.Session
		for range many {
			p.Builds = append(p.Builds, &model.Build{ID: long})
			p.Decisions = append(p.Decisions, model.Decision{Name: long, Was: long, Is: long, File: long, Text: long, Node: long, Who: long})
			p.Problems = append(p.Problems, model.Problem{Text: long, Fix: long})
			sessions = append(sessions, model.Session{Title: long, Dir: long, Waits: long, Node: long})
		}
		m := EncodeProject(p, sessions)
		m.Head = head(KindProject)
		data := Encode(m)
		if len(data) > SummaryLimit {
			t.Errorf("%s: %d bytes", what, len(data))
		}
		if _, err := ParseMessage(ProjectKey("build-7", p.Root, p.Name), data); err != nil {
			t.Error(what, err)
		}
		if size == 20 && (len(m.Builds) != maxBuilds || len(m.Decisions) != maxDecisions || len(m.Problems) != maxProblems || len(m.Sessions) != maxSessions) {
			t.Errorf("%s: %d builds, %d decisions, %d problems, %d sessions", what, len(m.Builds), len(m.Decisions), len(m.Problems), len(m.Sessions))
		}
		if len(p.Decisions[0].Name) != size {
			t.Error("the project itself was changed")
		}
	}
}

func TestSummaryHasTheGatesThatCanBeDecided(t *testing.T) {
	b := &model.Build{ID: "loop", Waits: []model.Wait{{Node: "gate/a"}}, Nodes: []*model.Node{
		{ID: "phase/1", Children: []*model.Node{{ID: "gate/a", Gate: &model.Gate{}, DependsOn: []string{"phase/1"}, Children: []*model.Node{{ID: "x"}}}}},
		{ID: "gate/failed", Status: model.Failed, Gate: &model.Gate{Can: []model.Verb{model.VerbRetry}}},
		{ID: "gate/passed", Status: model.Done, Gate: &model.Gate{}},
		{ID: "gate/old", Standing: model.Standing{Status: model.Archived}, Gate: &model.Gate{Can: []model.Verb{model.VerbRetry}}},
	}}
	var ids []string
	for _, n := range Summarize(b).Nodes {
		ids = append(ids, n.ID)
		if n.DependsOn != nil || n.Children != nil {
			t.Errorf("%s names nodes that are not here", n.ID)
		}
	}
	if strings.Join(ids, " ") != "gate/a gate/failed" {
		t.Error(ids)
	}
}

func TestListsComeBack(t *testing.T) {
	want := map[string][]byte{"gh.a": []byte(`{"v":1}`), "gh.a.b": []byte(`{"v":1,"x":"ü"}`)}
	got, err := ParseList(EncodeList(want))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestRequestsThatNobodyCouldAnswer(t *testing.T) {
	id := NewID(time.Now())
	good := Encode(&Request{V: 1, Request: AskDecide, ID: id, Action: &model.Action{Verb: "approve", Project: "/x"}})
	if _, err := ParseRequest(good); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		`{}`, `[]`, `{"v":1}`, `{"v":2,"request":"list"}`, `{"v":1,"request":"moon"}`, `{"v":1,"request":"decide","id":"../../x","action":{}}`,
		`{"v":1,"request":"decide","id":"` + id + `"}`, `{"v":1,"request":"propose"}`, `{"v":1,"request":"tree","root":"\u0000"}`, `{"v":1,"request":"tree","part":-1}`,
		`{"v":1,"request":"list","x":"` + strings.Repeat("x", RequestLimit) + `"}`,
	} {
		if _, err := ParseRequest([]byte(bad)); err == nil {
			t.Errorf("taken: %.80s", bad)
		}
	}
}

func TestWhatIsSentIsNoPartOfTheModel(t *testing.T) {
	long := strings.Repeat("x", 2*maxText)
	b := &model.Build{ID: "gsd", Nodes: []*model.Node{{ID: "a", DependsOn: []string{long}, Gate: &model.Gate{Options: []string{long}, Can: []model.Verb{"approve"}}}}}
	Summarize(b)
	if _, err := Whole(b); err != nil || b.Nodes[0].DependsOn[0] != long || b.Nodes[0].Gate.Options[0] != long {
		t.Error("sending a build has changed it")
	}
}

// TestAsksAreSentWhole: what somebody decides upon is sent, also where commands print it apart from the rest.
func TestAsksAreSentWhole(t *testing.T) {
	a := &model.Ask{ID: "k7f3q2ma", Kind: model.AskPlan, State: model.AskAnswered, Text: "approve the plan", Plan: "# A lantern\n\n1. Fold\x1b[2J a grid.\n", Fate: "carol has answered it", Delivered: true}
	got, err := DecodeAsk(EncodeAsk(a), 0)
	if err != nil || !strings.HasPrefix(got.Plan, "# A lantern\n\n1. Fold") || strings.Contains(got.Plan, "\x1b") || got.Fate != a.Fate || !got.Delivered || got.ID != a.ID {
		t.Errorf("%+v %v", got, err)
	}
	if brief := Briefly(a); brief.Plan != "" || brief.Fate != a.Fate {
		t.Errorf("%+v", brief)
	}
}

// TestStandingIsCleaned: what a stranger says of why and since when something does not count is cleaned as all else.
func TestStandingIsCleaned(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	b := &model.Build{ID: "gsd", Nodes: []*model.Node{{ID: "a", Standing: model.Standing{Status: model.Stale, Since: at}}},
		Expired: []model.Wait{{Node: "a", Standing: model.Standing{Status: model.Expired, Reason: "over\x1b[31m\nnow"}}}}
	data, err := Whole(b)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeWhole(data, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if since := got.Nodes[0].StaleSince(); !since.Equal(at.Add(-time.Hour)) {
		t.Errorf("stale since %v", since)
	}
	if why := got.Expired[0].Reason; why != line.Clean("over\x1b[31m\nnow") {
		t.Errorf("over because of %q", why)
	}
}
