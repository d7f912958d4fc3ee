package parse

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"gatehouse/model"
)

// TestDecisions runs testdata/decisions.txtar: how one file with two gates, its journal and its waits look after decisions about the
// gate "frame" and writes by other programs. A line is one of these:
//
//	approve, skip, changes, undo [TEXT]   a decision, which is carried out; "ship " before it selects the other gate
//	! DECISION: TEXT                      a decision that is refused, with this text in the reason
//	evidence TEXT [@ AGE]                 the file that the gate is judged by, "-" to remove it; without an age always of the same time
//	seen                                  what is seen now is what --if-seen says from here on; an undo is without it
//	killed DECISION                       a decision of a process that is killed as soon as the file is written
//	file OLD => NEW                       another writer replaces OLD in the file, \n is the end of a line; write whole: all of it
//	has TEXT                              the file contains it
//	gate FACTS                            the journal's facts about the gate: request TEXT, overwritten, unattributed
//	journal DECISIONS                     the decisions, the newest first, each with its flags
//	wait NAME                             a wait for the gate begins
//	NAME ends ANSWER [TEXT]               the wait ends
//	NAME waits                            the wait continues
//	gone                                  another writer removes the file
//	settle, watch                         the last decision stands, at once or for a while; with " lost" it was overwritten
//	agent yes, agent no                   whether the gate waits for the agents
func TestDecisions(t *testing.T) {
	all, err := txtar.ParseFile(filepath.Join("testdata", "decisions.txtar"))
	must(t, err)
	for _, c := range all.Files {
		t.Run(c.Name, func(t *testing.T) {
			g := newGated(t, nil)
			plain := protocols[0].readers
			protocols[0].readers = func(p *Project) []reader {
				all := plain(p)
				for i, r := range all {
					all[i] = humanGates{r.(gateReader)}
				}
				return all
			}
			s := decisionScript{gated: g, waits: map[string]*waiting{}}
			for i, line := range strings.Split(strings.TrimSpace(string(c.Data)), "\n") {
				if line, _, _ = strings.Cut(line, "  #"); !s.run(strings.TrimSpace(line)) {
					t.Fatalf("line %d: %s", i+1, line)
				}
			}
		})
	}
}

type decisionScript struct {
	*gated
	last  *model.Outcome
	seen  string
	waits map[string]*waiting
}

// run runs a line, and reports whether its expectation holds.
func (s *decisionScript) run(line string) bool {
	s.Helper()
	word, rest, _ := strings.Cut(line, " ")
	if w := s.waits[word]; w != nil {
		if rest == "waits" {
			w.stillWaits(100 * time.Millisecond)
			return true
		}
		answer, text, _ := strings.Cut(strings.TrimPrefix(rest, "ends "), " ")
		v := w.ends(Answer(answer), strings.ReplaceAll(text, `\n`, "\n"))
		isClosed := v.Answer == Passed || v.Answer == Skipped
		return !isClosed || (v.Decision == nil) == s.gate().Unattributed
	}
	is := func(got string) bool {
		if got != rest {
			s.Errorf("it is %q", got)
		}
		return got == rest
	}
	switch word {
	case "!":
		decision, reason, _ := strings.Cut(rest, ": ")
		a := s.parse(decision)
		err := s.refused(a)
		if a.IfSeen != "" {
			_, unproposed := s.as.Propose(s.Context(), a)
			err = fmt.Errorf("%w, proposed: %v", err, unproposed)
		}
		if !strings.Contains(err.Error(), reason) || a.IfSeen != "" && strings.Count(err.Error(), reason) < 2 {
			s.Error(err)
			return false
		}
	case "evidence":
		file := filepath.Join(s.dir, "frame.md")
		text, age, _ := strings.Cut(rest, " @ ")
		if text == "-" {
			must(s.T, os.Remove(file))
			break
		}
		put(s.T, s.dir, "frame.md", text)
		setTime(s.T, file)
		if hours, err := time.ParseDuration(age); err == nil {
			must(s.T, os.Chtimes(file, noon.Add(-hours), noon.Add(-hours)))
		}
	case "seen":
		s.seen = s.gated.seen()
	case "killed":
		s.interrupt(s.parse(rest))
	case "file":
		old, changed, _ := strings.Cut(strings.ReplaceAll(rest, `\n`, "\n"), " =>")
		if !strings.Contains(s.text(), old) {
			return false
		}
		s.rewrite(old, strings.TrimPrefix(changed, " "))
	case "write":
		s.gated.write(gatesText)
	case "has":
		return strings.Contains(s.text(), rest)
	case "gate":
		return is(s.facts())
	case "journal":
		return is(s.journal())
	case "agent":
		return is(map[bool]string{true: "yes", false: "no"}[s.isWithAgent(noon.Add(time.Minute))])
	case "wait":
		s.waits[rest] = s.wait()
		s.until(func() bool { return !s.gate().Awaited.IsZero() || len(s.waits) > 1 || s.waits[rest].isOver() })
	case "gone":
		must(s.T, os.Remove(filepath.Join(s.dir, gatesFile)))
	case "settle", "watch":
		stands := s.as.Settle
		if word == "watch" {
			stands = func(ctx context.Context, o *model.Outcome) error { return s.as.Watch(ctx, o, 10*time.Millisecond) }
		}
		var over *model.Overwritten
		err := stands(s.Context(), s.last)
		return rest == "" && err == nil || rest == "lost" && errors.As(err, &over) && slices.Equal(over.Lost, []string{"frame"})
	default:
		s.last = s.do(s.parse(line))
	}
	return true
}

// parse parses a decision.
func (s *decisionScript) parse(text string) model.Action {
	node := "gate/frame"
	if rest, ok := strings.CutPrefix(text, "ship "); ok {
		node, text = "gate/ship", rest
	}
	verb, text, _ := strings.Cut(text, " ")
	a := s.action(model.Verb(verb))
	a.Node, a.Text = node, strings.ReplaceAll(text, `\n`, "\n")
	if a.Verb != model.VerbUndo {
		a.IfSeen = s.seen
	}
	return a
}

// facts describes what the journal knows about the gate.
func (s *decisionScript) facts() string {
	var facts []string
	g := s.gate()
	if g.Request != nil {
		facts = append(facts, "request "+g.Request.Text)
	}
	if g.Overwritten != nil {
		facts = append(facts, "overwritten")
	}
	if g.Unattributed {
		facts = append(facts, "unattributed")
	}
	return strings.Join(facts, ", ")
}

// journal describes the decisions, as every display shows them.
func (g *gated) journal() string {
	g.Helper()
	g.p.Touch()
	var all []string
	shown := g.p.Read(noon.Add(time.Hour)).Decisions
	every, err := AllDecisions(g.p.user)
	must(g.T, err)
	for i, d := range g.decisions() {
		if i >= len(shown) || i >= len(every) || shown[i].ID != d.ID || shown[i].Interrupted != d.Interrupted || every[i].ID != d.ID || every[i].Interrupted != d.Interrupted {
			g.Fatalf("%+v is shown as %+v, of every project %+v", d, shown, every)
		}
		text := string(d.Verb)
		for _, flag := range []struct {
			is   bool
			name string
		}{{d.Interrupted, "interrupted"}, {d.Undone, "undone"}, {d.Reported, "reported"}, {d.Overwritten, "overwritten"}, {d.Undoes != "", "undoes"}} {
			if flag.is {
				text += " " + flag.name
			}
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// isWithAgent reports whether the gate waits for the agents. It checks that the next step and the certain waits agree.
func (g *gated) isWithAgent(now time.Time) bool {
	g.Helper()
	g.p.Touch()
	b := g.p.Read(now).Builds[0]
	isIt := func(w model.Wait) bool { return w.Node == "gate/frame" }
	i := slices.IndexFunc(b.Waits, isIt)
	if i < 0 {
		g.Fatalf("it is not listed: %+v", b.Waits)
	}
	is := b.Waits[i].IsWithAgent()
	if slices.ContainsFunc(b.Certain(), isIt) == is || b.Next == nil || b.Next.Node != "gate/frame" || strings.HasPrefix(b.Next.Command, "approve ") == is {
		g.Errorf("with its agent %t, listed as %+v, and next comes %+v", is, b.Waits[i], b.Next)
	}
	return is
}

// isOver reports whether a wait has ended.
func (w *waiting) isOver() bool {
	select {
	case <-w.over:
		return true
	default:
		return false
	}
}
