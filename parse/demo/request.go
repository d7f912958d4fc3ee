package demo

// This file is about questions to the human in front of the screen: how one is
// seen to be answered, who answers when nobody does, and what follows.

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

const signalFile = "WAITING.json"

// request is a file that waits for a human.
type request struct {
	name string
	left time.Duration // until the simulated user answers
	// answered looks at the file; user does what a user would do with it.
	answered func() bool
	user     func() error
	then     func() []step // what follows at once; may be nil
}

// put opens a question. The build goes on unless a step awaits the answer.
func (b *Build) put(a *request) {
	a.left = patience
	b.open = append(b.open, a)
}

func (b *Build) asking(name string) bool {
	return slices.ContainsFunc(b.open, func(a *request) bool { return a.name == name })
}

// attend looks whether a question is answered, by the user or, when they let
// it lie for too long, in their place, and plays what follows.
func (b *Build) attend(ctx context.Context, a *request) error {
	if !b.asking(a.name) {
		return nil
	}
	if a.left <= 0 && !a.answered() {
		if err := a.user(); err != nil {
			return err
		}
	}
	if !a.answered() {
		return nil
	}
	b.open = slices.DeleteFunc(b.open, func(other *request) bool { return other == a })
	if a.then == nil {
		return nil
	}
	return b.play(ctx, a.then())
}

// question waits for WAITING.json to be removed, or to say that it no longer waits; one that does not parse is still being
// written.
func (b *Build) question(name string) {
	b.put(&request{
		name: name,
		answered: func() bool {
			text, err := b.read(signalFile)
			var now struct{ Status string }
			return err != nil || json.Unmarshal([]byte(text), &now) == nil && now.Status != "waiting"
		},
		user: func() error { return b.remove(signalFile) },
	})
}

// judgement is what a UAT.md comes to say.
type judgement struct {
	*acceptance
	stage uatStage
	said  answer
}

// acceptance waits for the last test of a UAT.md to be judged. One that does not pass is mended, since nobody should see
// their verdict ignored.
func (b *Build) acceptance(a *acceptance) {
	file := b.w.phase(a.Phase).file("UAT.md")
	accepted := func(said answer) []step {
		return []step{
			{After: time.Second, What: "the test is closed", judged: &judgement{a, uatComplete, said}},
			{After: time.Second, What: "the phase is verified", Verify: &verification{Phase: a.Phase, Status: passed}},
		}
	}
	b.put(&request{
		name:     a.ID,
		answered: func() bool { return judged(b, file) },
		user:     func() error { return judge(b, file) },
		then: func() []step {
			switch said := b.answer(file); said.result {
			case "pass", "passed":
				return accepted(answer{})
			case uatSkipped:
				return accepted(said)
			default:
				return append([]step{
					{After: time.Second, What: "the verdict becomes a gap", judged: &judgement{a, uatGap, said}},
					{After: 4 * time.Second, What: "an agent mends it"},
				}, accepted(answer{})...)
			}
		},
	})
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
