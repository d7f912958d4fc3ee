// A build as it is sent: what "gatehouse status --json" prints of it, and a little that is only drawn there. Encoding it is the
// model's own form; this file has what is left out so that it fits.

package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Body is a build, with its tree or with the gates that wait alone. Its fields have the names and meanings of
// "gatehouse status --json".
type Body struct {
	*model.Build
	Line    *line.Told    `json:"line,omitempty"`    // of the header
	Claimed *line.Told    `json:"claimed,omitempty"` // what statusline prints there
	Unread  string        `json:"unread,omitempty"`
	Rounded bool          `json:"rounded,omitempty"` // [model.Progress.Rounded]
	Resume  *model.Resume `json:"resume,omitempty"`
	Held    []string      `json:"held,omitempty"` // IDs of the nodes that are [model.Node.Held]
	// Left counts what was left out because it would not fit, by the name of the list.
	Left map[string]int `json:"left_out,omitempty"`
}

// summaryRoom is what a body or a project may have of a message, in bytes: the rest is for what stands around it.
const summaryRoom = SummaryLimit - 4<<10

// Limits of a summary, in entries of each list.
const (
	summaryWaits    = 100
	summaryOther    = 20
	summaryText     = 1 << 10 // bytes of a text, where there is no room for longer ones
	summaryDeciders = 100     // gates that do not wait, and that something can be decided about
	// maxActivities is how many activities are sent with a tree: the newest of them.
	maxActivities = 2000
)

// bodyOf returns a build as it is sent, which may be changed: the build itself stays as it is.
func bodyOf(b *model.Build) *Body {
	copied := *b
	copied.Partial = false
	body := &Body{Build: &copied, Unread: b.Unread, Rounded: b.Progress.Rounded, Resume: b.Resume}
	body.hold(b.Nodes)
	if b.Header != nil {
		body.Line = line.Tell(b.Header)
	}
	if b.Claimed != nil {
		body.Claimed = line.Tell(b.Claimed)
	}
	return body
}

// hold notes which of the nodes that are sent are [model.Node.Held].
func (b *Body) hold(nodes []*model.Node) {
	b.Held = nil
	for _, n := range model.Walk(nodes) {
		if n.Held {
			b.Held = append(b.Held, n.ID)
		}
	}
}

// left notes that entries of a list are left out.
func (b *Body) left(list string, n int) {
	if n <= 0 {
		return
	}
	if b.Left == nil {
		b.Left = map[string]int{}
	}
	b.Left[list] += n
}

// Summarize returns a build without its tree: of the nodes only the gates that wait or that can be decided. Whatever the
// build is, it fits into a message.
func Summarize(b *model.Build) *Body {
	for waits, other := summaryWaits, summaryOther; ; waits, other = waits/2, other/2 {
		body := bodyOf(b)
		body.Partial = true
		body.Activity, body.Measured, body.Metrics, body.Notes, body.History = nil, nil, nil, nil, nil
		body.Waits = first(body, "waits", b.Waits, waits)
		body.Expired = first(body, "past waits", b.Expired, other)
		body.Blockers = first(body, "blockers", b.Blockers, other)
		body.Divergences = first(body, "divergences", b.Divergences, other)
		body.Lags = first(body, "lags", b.Lags, other)
		body.Problems = first(body, "problems", b.Problems, other)
		body.Nodes = gatesOf(b, waits)
		body.hold(body.Nodes) // of a half-written file all nodes may be: their names would take the room of what waits
		data := pack(body)
		if len(data) > summaryRoom { // texts are cut in a copy of its own
			var own Body
			if err := json.Unmarshal(data, &own); err == nil {
				shorten(reflect.ValueOf(&own), "")
				body, data = &own, pack(&own)
			}
		}
		if waits == 0 || len(data) <= summaryRoom {
			return body
		}
	}
}

// first keeps the first n of a list.
func first[T any](body *Body, name string, list []T, n int) []T {
	body.left(name, len(list)-n)
	return list[:min(n, len(list))]
}

// gatesOf returns the gates of the first waits, and as many others that something can be decided about, without what is below them.
func gatesOf(b *model.Build, limit int) (gates []*model.Node) {
	waits := map[string]bool{}
	for _, w := range b.Waits[:min(len(b.Waits), limit)] {
		waits[w.Node] = true
	}
	others := 0
	for _, n := range model.Walk(b.Nodes) {
		if !waits[n.ID] {
			decidable := !n.IsArchived() && (n.Gate != nil && len(n.Gate.Can) > 0 || len(n.Can) > 0)
			if !decidable || others >= min(limit, summaryDeciders) {
				continue
			}
			others++
		}
		g := *n
		g.Children, g.DependsOn, g.BlockedBy = nil, nil, nil // nodes that are not here
		gates = append(gates, &g)
	}
	return gates
}

// shorten cuts every text below the value of a field, but for what names something.
func shorten(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			shorten(v.Elem(), name)
		}
	case reflect.Slice:
		for i := range v.Len() {
			shorten(v.Index(i), name)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				shorten(v.Field(i), v.Type().Field(i).Name)
			}
		}
	case reflect.String:
		if v.Len() > summaryText && !exact[name] {
			v.SetString(cut(v.String(), summaryText) + line.Ellipsis)
		}
	}
}

// Whole returns a build with its tree as it is sent, and leaves out of it what would make it too large: what has been logged, then
// the details of its rows. It fails where the rows alone are too many.
func Whole(b *model.Build) ([]byte, error) {
	body := bodyOf(b)
	body.Activity = b.Activity[max(0, len(b.Activity)-maxActivities):]
	body.left("entries of the log", len(b.Activity)-len(body.Activity))
	for _, leave := range []func(){
		func() {},
		func() { body.left("entries of the log", len(body.Activity)); body.Activity, body.Measured = nil, nil },
		func() {
			n := 0
			body.Nodes = bare(body.Nodes, &n)
			body.left("details of rows", n)
		},
	} {
		leave()
		if data := pack(body); len(data) <= WholeLimit && scan(data) == nil {
			return data, nil
		}
	}
	return nil, fmt.Errorf("the tree of %s is too large to be sent", line.Clean(b.ID))
}

// bare returns nodes without their details, and counts those.
func bare(nodes []*model.Node, count *int) []*model.Node {
	all := make([]*model.Node, len(nodes))
	for i, n := range nodes {
		*count += len(n.Facts) + len(n.Artifacts)
		plain := *n
		plain.Facts, plain.Artifacts, plain.Children = nil, nil, bare(n.Children, count)
		all[i] = &plain
	}
	return all
}

// DecodeWhole returns the build with its tree that [Whole] has made; ahead is how far the clock of its host is ahead of ours.
func DecodeWhole(data []byte, ahead time.Duration) (*model.Build, error) {
	var body Body
	if err := unpack(data, WholeLimit, &body); err != nil {
		return nil, err
	}
	return body.decode(ahead)
}

// decode returns the build, cleaned; what was decoded is used up.
func (b *Body) decode(ahead time.Duration) (*model.Build, error) {
	d := decoder{ahead: ahead}
	d.clean(reflect.ValueOf(b).Elem())
	built := b.Build
	if built == nil || built.ID == "" {
		return nil, errors.New("its build has no ID")
	}
	d.apart(built.Nodes, map[string]bool{})
	built.Unread, built.Resume, built.Progress.Rounded = b.Unread, b.Resume, b.Rounded
	if b.Line != nil {
		built.Header = b.Line
	}
	if b.Claimed != nil {
		built.Claimed = b.Claimed
	}
	held := map[string]bool{}
	for _, id := range b.Held {
		held[id] = true
	}
	for _, n := range model.Walk(built.Nodes) {
		n.Held = held[n.ID]
	}
	built.Progress.Percent = min(built.Progress.Percent, 100)
	if m := built.Measured; m != nil {
		m.Recent = m.Recent[:min(len(m.Recent), model.TrendWindow)]
	}
	for _, list := range slices.Sorted(maps.Keys(b.Left)) {
		if n := b.Left[list]; n > 0 {
			built.Problems = append(built.Problems, model.Problem{
				Severity: model.Warning, Text: fmt.Sprintf("%d of its %s are not shown here: there are too many to send", n, list), Fix: "look at them on the host",
			})
		}
	}
	model.SortWaits(built.Waits)
	return built, d.err
}

// apart fails where two nodes have one ID, or one has none.
func (d *decoder) apart(nodes []*model.Node, seen map[string]bool) {
	for _, n := range nodes {
		switch {
		case n.ID == "":
			d.fail("one of its nodes has no ID")
		case seen[n.ID]:
			d.fail("two of its nodes are called %s", text(cut(n.ID, 100)))
		}
		seen[n.ID] = true
		d.apart(n.Children, seen)
	}
}

// DecodeAsk returns what a live agent asks, as it was sent whole.
func DecodeAsk(data []byte, ahead time.Duration) (*model.Ask, error) {
	var a model.Ask
	if err := unpack(data, WholeLimit, &a); err != nil {
		return nil, err
	}
	d := decoder{ahead: ahead}
	d.clean(reflect.ValueOf(&a))
	return &a, d.err
}
