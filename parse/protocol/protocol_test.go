package protocol

import (
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/statefile"
)

func TestTime(t *testing.T) {
	want := time.Date(2026, 1, 26, 10, 30, 0, 0, time.UTC)
	for _, s := range []string{
		"2026-01-26T10:30:00Z", "2026-01-26T10:30:00.000Z", "2026-01-26T11:30:00+01:00", "2026-01-26T10:30:00", "2026-01-26 10:30:00",
		"2026-01-26T10:30Z", "2026-01-26 10:30", ` "2026-01-26T10:30:00Z" `, "'2026-01-26 10:30'",
	} {
		if got := ParseTime(s); !got.Equal(want) {
			t.Errorf("%q: %v", s, got)
		}
	}
	if got := ParseTime("2026-01-26"); !got.Equal(want.Truncate(24 * time.Hour)) {
		t.Error(got)
	}
	for _, s := range []string{"", "soon", "26.1.2026", "2026-13-01", "2026-01-26T25:00:00Z", "10:30"} {
		if got := ParseTime(s); !got.IsZero() {
			t.Errorf("%q: %v", s, got)
		}
	}
	if got := FormatTime(want.Add(time.Second / 2).In(time.FixedZone("", 3600))); got != "2026-01-26T10:30:00Z" {
		t.Error(got)
	}
}

func TestSkipReason(t *testing.T) {
	for text, want := range map[string]string{"": "needs a reason", "0123456789 ": "too short"} {
		if got := CheckSkipReason(text); got == nil || !strings.Contains(got.Text, want) {
			t.Errorf("%q: %v", text, got)
		}
	}
	if got := CheckSkipReason("01234567890"); got != nil {
		t.Error(got)
	}
}

// TestUndo checks what prevents a decision from being undone, and that an undo restores the earlier bytes.
func TestUndo(t *testing.T) {
	const before, after = "a: pending\n", "a: passed\n"
	decision := model.Decision{Node: "gate/a", Verb: model.VerbApprove, Was: "pending", Is: "passed", Spans: []model.Span{{At: 3, Old: "pending", New: "passed", Label: "gates.a"}}, After: statefile.Hash(after)}
	for says, change := range map[string]func(q *Request, d *model.Decision){
		"":                              func(*Request, *model.Decision) {},
		"no decision to undo":           func(q *Request, _ *model.Decision) { q.Last = nil },
		"o decision to undo":            func(q *Request, _ *model.Decision) { q.Node = "gate/b" },
		"decision to undo":              func(_ *Request, d *model.Decision) { d.Undone = true },
		"there is no decision":          func(_ *Request, d *model.Decision) { d.Verb = model.VerbUndo },
		"acted on the decision already": func(_ *Request, d *model.Decision) { d.Reported = true },
		"a is not passed any more":      func(q *Request, _ *model.Decision) { q.Content = "b: passed\na: failed\n" },
		"md has changed since": func(q *Request, d *model.Decision) {
			q.Content, d.Spans = after+"\n", []model.Span{{Old: before, New: after}}
		},
		"x.md has changed since":   func(q *Request, _ *model.Decision) { q.Content = "" },
		"journal's entry does not": func(_ *Request, d *model.Decision) { d.Spans = []model.Span{{At: 3, New: "not there"}} },
	} {
		last := decision
		q := Request{Action: model.Action{Verb: model.VerbUndo, Node: "gate/a"}, Content: after, Last: &last}
		change(&q, &last)
		refused := CheckUndo(q)
		var c *Change
		if refused == nil {
			c, refused = UndoChange(q, "x.md", Region{To: len(q.Content)})
		}
		switch {
		case says != "":
			if refused == nil || c != nil || refused.Code != Forbidden || !strings.Contains(refused.Text, says) {
				t.Errorf("%s: %v", says, refused)
			}
		case refused != nil:
			t.Error(refused)
		default:
			if text, err := Apply(after, c.Spans); err != nil || text != before || c.Was != "passed" || c.Is != "pending" {
				t.Errorf("%q, %v; %+v", text, err, c)
			}
		}
	}
}

// TestCheck checks the order and the rules of the problems that a check reports.
func TestCheck(t *testing.T) {
	at := func(file string, line, col int) model.Pos { return model.Pos{File: file, Line: line, Col: col} }
	b := &model.Build{Protocol: "tide", Problems: []model.Problem{{Pos: at("b", 1, 0), Text: "broken"}, {Pos: at("a", 9, 0), Rule: "tide-own", Text: "late"}}}
	b.Divergences = []model.Divergence{{Source: at("a", 2, 5), Claim: "it says high", Truth: "it is low"}}
	k := NewCheck(b)
	k.Report(at("a", 2, 3), model.Error, "tide-word", "a\u202eword", "mend it")
	k.Report(at("a", 9, 0), model.Error, "tide-again", "late", "mend it")
	var got []string
	for _, p := range k.End("look") {
		got = append(got, p.Rule+" "+p.Text)
	}
	if want := "tide-word aword|tide-truth it says high, but it is low|tide-own late|tide-readable broken"; strings.Join(got, "|") != want {
		t.Errorf("%s, want %s", strings.Join(got, "|"), want)
	}
	if b.Problems[0].Rule != "" {
		t.Error("the check has changed the build")
	}
}
