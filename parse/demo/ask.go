package demo

// This file is about questions to the human in front of the screen: how one is
// seen to be answered, who answers when nobody does, and what follows.

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
)

// ask is a file that waits for a human.
type ask struct {
	name string
	left time.Duration // until the simulated user answers
	// answered looks at the file; user does what a user would do with it.
	answered func(b *Build) bool
	user     action
	then     func(b *Build) []step // what follows at once; may be nil
}

// put opens a question. The build goes on unless a step awaits the answer.
func (b *Build) put(a *ask) {
	a.left = patience
	b.open = append(b.open, a)
}

func (b *Build) asking(name string) bool {
	return slices.ContainsFunc(b.open, func(a *ask) bool { return a.name == name })
}

// attend looks whether a question is answered, by the user or, when they let
// it lie for too long, in their place, and plays what follows.
func (b *Build) attend(ctx context.Context, a *ask) error {
	if !b.asking(a.name) {
		return nil
	}
	if a.left <= 0 && !a.answered(b) {
		if err := a.user(b); err != nil {
			return err
		}
	}
	if !a.answered(b) {
		return nil
	}
	b.open = slices.DeleteFunc(b.open, func(other *ask) bool { return other == a })
	if a.then == nil {
		return nil
	}
	return b.play(ctx, a.then(b))
}

// question writes WAITING.json. It is answered when the file is removed, or
// says that it no longer waits; one that does not parse is still being written.
func question(name string, s signal) action {
	return func(b *Build) error {
		s.Status, s.Since = "waiting", b.stamp()
		b.put(&ask{
			name: name,
			answered: func(b *Build) bool {
				text, err := b.read(signalFile)
				var now signal
				return err != nil || json.Unmarshal([]byte(text), &now) == nil && now.Status != "waiting"
			},
			user: remove(signalFile),
		})
		return b.writeJSON(signalFile, s)
	}
}

// acceptance writes a UAT.md whose last test only a human can judge, and the
// VERIFICATION.md that says so. A test that does not pass is mended, since
// nobody should see their verdict ignored.
func acceptance(name string, u uat, v verification) action {
	return func(b *Build) error {
		file := b.w.phase(u.phase).file("UAT.md")
		u.started = b.stamp()
		u.last = uatTest{v.test, v.expect}
		save := func(stage uatStage, said answer) action {
			return func(b *Build) error { return b.write(file, b.renderUAT(u, stage, said)) }
		}
		accepted := func(said answer) []step {
			return []step{
				after(1, "the test is closed", save(uatComplete, said)),
				after(1, "the phase is verified", verify(verification{phase: u.phase, status: passed})),
			}
		}
		b.put(&ask{
			name:     name,
			answered: func(b *Build) bool { return judged(b, file) },
			user:     func(b *Build) error { return judge(b, file) },
			then: func(b *Build) []step {
				switch said := b.answer(file); said.result {
				case "pass", "passed":
					return accepted(answer{})
				case uatSkipped:
					return accepted(said)
				default:
					return append([]step{
						after(1, "the verdict becomes a gap", save(uatGap, said)),
						after(4, "an agent mends it"),
					}, accepted(answer{})...)
				}
			},
		})
		return errors.Join(verify(v)(b), save(uatOpen, answer{})(b))
	}
}

// pendingResult is how a UAT file says that nobody has judged a test yet.
const pendingResult = "result: [pending]"

// judged reports whether no test of a UAT file is pending. Some editors save
// by truncating, so a file without its last section is not read as an answer.
func judged(b *Build, file string) bool {
	text, err := b.read(file)
	return err == nil && strings.Contains(text, "\n## Gaps") &&
		!strings.Contains(text, pendingResult) && !strings.Contains(text, "result: pending")
}

// judge is the simulated user: the test passes.
func judge(b *Build, file string) error {
	text, err := b.read(file)
	if err != nil {
		return err
	}
	return b.write(file, strings.ReplaceAll(text, pendingResult, "result: pass"))
}

// answer is what the user wrote as the result of the test that was open, the
// last one of the file.
func (b *Build) answer(file string) (said answer) {
	text, _ := b.read(file)
	tests, _, _ := strings.Cut(text, "\n## Summary")
	for line := range strings.Lines(tests) {
		line = strings.TrimSpace(line)
		if value, ok := strings.CutPrefix(line, "result:"); ok {
			said = answer{result: strings.Trim(value, " []")}
		} else if strings.HasPrefix(line, "reported:") || strings.HasPrefix(line, "reason:") {
			said.words = line
		}
	}
	return said
}
