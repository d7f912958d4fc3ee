package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/statefile"
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
	data, err := whole(b)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeWhole(data, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(got.Header.AppendFull(nil)), string(b.Header.AppendFull(nil)); got != want {
		t.Errorf("line %q, want %q", got, want)
	}
	if got, want := string(got.Claimed.AppendFull(nil)), string(b.Claimed.AppendFull(nil)); got != want {
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

func TestTimesAreTurnedIntoOurs(t *testing.T) {
	at := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	b := &model.Build{ID: "gsd", Waits: []model.Wait{{Since: at}}, Freshness: model.Freshness{Changed: at}}
	data, _ := whole(b)
	got, err := decodeWhole(data, 90*time.Minute)
	if want := at.Add(-90 * time.Minute); err != nil || !got.Waits[0].Since.Equal(want) || !got.Freshness.Changed.Equal(want) || !got.Freshness.Claimed.IsZero() {
		t.Error(got, err)
	}
	// One that is not of our time counts for nothing: it would keep all from being written as JSON.
	b.Freshness.Changed = time.Date(9990, 1, 1, 0, 0, 0, 0, time.UTC)
	data, _ = whole(b)
	for ahead, none := range map[time.Duration]bool{-200 * 365 * 24 * time.Hour: true, 200 * 365 * 24 * time.Hour: false, math.MaxInt64: false} {
		if got, err := decodeWhole(data, ahead); err != nil || got.Freshness.Changed.IsZero() != none {
			t.Errorf("%v: %v, %v", ahead, got.Freshness.Changed, err)
		}
	}
}

// TestStandingIsCleaned: what a stranger says of why and since when something does not count is cleaned as all else.
func TestStandingIsCleaned(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	b := &model.Build{ID: "gsd", Nodes: []*model.Node{{ID: "a", Standing: model.Standing{Status: model.Stale, Since: at}}},
		Expired: []model.Wait{{Node: "a", Standing: model.Standing{Status: model.Expired, Reason: "over\x1b[31m\nnow"}}}}
	data, err := whole(b)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeWhole(data, time.Hour)
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

// whole returns a build with its tree as it is sent, and decodeWhole what that is parsed into.
func whole(b *model.Build) ([]byte, error) {
	return encodeTree(&model.Project{Root: "/src/shop", Name: "shop"}, b)
}

func decodeWhole(data []byte, ahead time.Duration) (*model.Build, error) {
	doc, err := decodeDocument(data, treeLimit, ahead)
	if err != nil {
		return nil, err
	}
	if len(doc.Projects) != 1 || len(doc.Projects[0].Builds) != 1 {
		return nil, errors.New("it is not one build")
	}
	return doc.Projects[0].Builds[0].Build, nil
}

// published returns what a host publishes of a project with some builds, and what that is parsed into.
func published(t *testing.T, p *model.Project, sessions []model.Session) ([]byte, *Project) {
	t.Helper()
	data := summarize(p, sessions, &Origin{"build-7", "s", 1})
	if len(data) > summaryLimit {
		t.Errorf("%d bytes", len(data))
	}
	doc, err := decodeDocument(data, summaryLimit, 0)
	if err != nil || len(doc.Projects) != 1 || doc.Host != "build-7" {
		t.Fatal(err)
	}
	return data, &doc.Projects[0]
}

func TestProposalOutcomeAndErrorsComeBackAsTheyWere(t *testing.T) {
	p, d, n := &model.Proposal{}, model.Decision{}, 0
	fill(reflect.ValueOf(p).Elem(), &n)
	fill(reflect.ValueOf(&d).Elem(), &n)
	d.Spans = nil
	send := func(r *Reply) *Reply {
		t.Helper()
		r.Schema = Schema
		back, err := parseReply(deflate(encode(r)), 0)
		if err != nil {
			t.Fatal(err)
		}
		return back
	}
	got := send(&Reply{Outcome: Outcome{Decision: &d, Note: "note"}, Proposal: sentProposal(p)})
	differences(t, "proposal", reflect.ValueOf(*got.Proposal), reflect.ValueOf(*p))
	differences(t, "decision", reflect.ValueOf(*got.Decision), reflect.ValueOf(d))
	for _, want := range []error{
		&model.Refusal{Code: "E_FORBIDDEN", Text: "it has failed", Fix: "retry it"}, &model.Refusal{Text: "it has passed", Already: true},
		&model.Changed{Now: p}, &model.Changed{Why: &model.Refusal{Text: "gone"}}, errors.New("the disk is full"),
	} {
		r := &Reply{}
		r.fail(want)
		if err := send(r).err(); err == nil || err.Error() != want.Error() || reflect.TypeOf(err) != reflect.TypeOf(want) {
			t.Errorf("%#v, want %#v", err, want)
		}
	}
}

func TestTokensBreakNoSubject(t *testing.T) {
	valid := regexp.MustCompile(`^[-_=a-zA-Z0-9]{1,100}$`)
	seen := map[string]string{}
	check := func(name string) bool {
		k := token(name)
		before, known := seen[k]
		seen[k] = name
		return valid.MatchString(k) && (!known || before == name)
	}
	for _, name := range []string{"", ".", "*", ">", " ", "=", "=2E", "a.b", "a*b", "a>b", "a\x00b", "ü", "host\r\nPUB x 1", "-", "_", "$KV",
		strings.Repeat("x", 79), strings.Repeat("x", 80), strings.Repeat("x", 81), strings.Repeat("ü", 13), strings.Repeat("ü", 14), strings.Repeat("ü", 5000), strings.Repeat("ü", 5001)} {
		if !check(name) {
			t.Errorf("%q has the token %q, as %q has", name, token(name), seen[token(name)])
		}
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
	if token("build-7") != "build-7" || token("my host") != "my=20host" || keyOf("h", "/a/shop", "shop") == keyOf("h", "/b/shop", "shop") {
		t.Error(token("build-7"), token("my host"))
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
	_, p := published(t, &model.Project{Root: "/src/shop", Name: "shop", Builds: []*model.Build{b}}, nil)
	got := p.Builds[0]
	if left := 600 - len(got.Waits); left == 0 || left >= 600 || !strings.Contains(fmt.Sprint(got.Build.Problems), fmt.Sprintf("%d waits are not shown here", left)) {
		t.Errorf("%d waits are published: %v", len(got.Waits), got.Build.Problems)
	}
	if !got.Build.Partial || !strings.Contains(fmt.Sprint(got.Build.Problems), "not shown") {
		t.Error(got.Build.Problems)
	}

	// With its tree, details go first, and then it is refused.
	if _, err := whole(b); err == nil {
		t.Error("a tree of gigabytes is sent")
	}
	for _, n := range b.Nodes {
		n.Title, n.Gate.Asks = "", ""
		n.Facts = []model.Fact{{Label: "x", Value: long}, {Label: "y", Value: long}}
	}
	b.Waits, b.Blockers, b.Title, b.Why, b.Next = nil, nil, "", "", nil
	if data, err := whole(b); err != nil || !json.Valid(data) || !strings.Contains(string(data), `1200 details of rows are not shown here`) {
		t.Error(err, len(data))
	}

	for what, size := range map[string]int{"usual": 20, "long": 2_000, "very long": 4_000} {
		long, many := strings.Repeat("x", size), 100
		p := &model.Project{Root: "/src/shop", Name: "shop"}
		var sessions []model.Session
		for i := range many {
			p.Builds = append(p.Builds, &model.Build{ID: fmt.Sprint(i, long)})
			p.Decisions = append(p.Decisions, model.Decision{Name: long, Was: long, Is: long, File: long, Text: long, Node: long, Who: long})
			p.Problems = append(p.Problems, model.Problem{Text: long, Fix: long})
			sessions = append(sessions, model.Session{Title: long, Dir: long, Waits: long, Node: long})
		}
		_, got := published(t, p, sessions)
		if size == 20 && (len(got.Builds) != many || len(got.Decisions) != summaryDecisions) {
			t.Errorf("%s: %d builds, %d decisions", what, len(got.Builds), len(got.Decisions))
		}
		if len(p.Decisions[0].Name) != size {
			t.Error("the project itself was changed")
		}
	}
}

func TestSummaryHasWhatCanBeDecided(t *testing.T) {
	b := &model.Build{ID: "loop", Waits: []model.Wait{{Node: "gate/a"}}, Nodes: []*model.Node{
		{ID: "phase/1", Children: []*model.Node{{ID: "gate/a", Held: true, Gate: &model.Gate{}, DependsOn: []string{"phase/1"}, Children: []*model.Node{{ID: "x"}}}}},
		{ID: "gate/failed", Status: model.Failed, Gate: &model.Gate{Can: []model.Verb{model.VerbRetry}}},
		{ID: "gate/passed", Status: model.Done, Gate: &model.Gate{}},
		{ID: "gate/old", Standing: model.Standing{Status: model.Archived}, Gate: &model.Gate{Can: []model.Verb{model.VerbRetry}}},
	}}
	for i := range 8_000 { // of a half-written file every node is held: their names must not take the room of the gates
		b.Nodes = append(b.Nodes, &model.Node{ID: fmt.Sprintf("phase/with-a-long-name-%d", i), Held: true})
	}
	data, p := published(t, &model.Project{Root: "/src/shop", Name: "shop", Builds: []*model.Build{b}}, nil)
	var ids []string
	for _, n := range p.Builds[0].Nodes {
		ids = append(ids, n.ID)
		if n.DependsOn != nil || n.Children != nil {
			t.Errorf("%s names nodes that are not here", n.ID)
		}
	}
	if strings.Join(ids, " ") != "gate/a gate/failed" || !p.Builds[0].Nodes[0].Held || len(data) > 3_000 {
		t.Error(ids, len(data))
	}
	if tree, err := whole(b); err != nil || p.Builds[0].Tree != statefile.Hash(string(tree)) {
		t.Error("the hash of the tree is another", err)
	}
}

func TestRequestsThatNobodyCouldAnswer(t *testing.T) {
	if _, err := parseRequest(encode(&Request{Schema: 1, Action: model.Action{Verb: "approve", Project: "/x"}})); err != nil {
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

func TestWhatIsSentIsNoPartOfTheModel(t *testing.T) {
	long := strings.Repeat("x", 2*maxText)
	b := &model.Build{ID: "gsd", Nodes: []*model.Node{{ID: "a", DependsOn: []string{long}, Gate: &model.Gate{Options: []string{long}, Can: []model.Verb{"approve"}}}}}
	p := &model.Project{Root: "/x", Builds: []*model.Build{b}}
	summarize(p, nil, &Origin{})
	if _, err := whole(b); err != nil || b.Nodes[0].DependsOn[0] != long || b.Nodes[0].Gate.Options[0] != long {
		t.Error("sending a build has changed it")
	}
}
