package demo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const windUAT = "phases/05.5-wind-and-rain/05.5-UAT.md"

// play runs one round with somebody who answers each question with edit as
// soon as it is asked, and returns how long the round took.
func play(t *testing.T, edit func(b *Build) error) (*Build, time.Duration) {
	t.Helper()
	c := newClock()
	start := c.now
	b, _ := begin(t, c, c.alone())
	c.user = func() error { return edit(b) }
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b, c.now.Sub(start)
}

func TestNobodyAnswers(t *testing.T) {
	b, took := play(t, func(*Build) error { return nil })
	if took < 2*time.Minute || took > 3*time.Minute {
		t.Errorf("a round took %v, want two to three minutes", took)
	}
	if text, _ := b.read(windUAT); !strings.Contains(text, "status: complete") || b.answer(windUAT).result != "pass" {
		t.Errorf("the simulated user left\n%s", text)
	}
}

func TestAnswersAreTakenUpAtOnce(t *testing.T) {
	_, alone := play(t, func(*Build) error { return nil })
	for name, answer := range map[string]func(b *Build) error{
		"removed": func(b *Build) error { return b.remove(signalFile) },
		"says so": func(b *Build) error { return b.write(signalFile, `{"status": "answered"}`) },
	} {
		t.Run("WAITING.json "+name, func(t *testing.T) {
			b, took := play(t, func(b *Build) error {
				if b.asking("sounds") {
					return answer(b)
				}
				return nil
			})
			// What follows from the other answer falls into the time saved.
			if saved := alone - took; saved < patience-3*time.Second {
				t.Errorf("the answer saved %v, want nearly %v", saved, patience)
			}
			if _, err := b.read(signalFile); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("WAITING.json after the round: %v", err)
			}
		})
	}
	t.Run("UAT", func(t *testing.T) {
		file := "phases/08-sunday-postcard/08-UAT.md"
		_, took := play(t, func(b *Build) error {
			if b.asking("postcard") {
				return judge(b, file)
			}
			return nil
		})
		if saved := alone - took; saved < patience-time.Second {
			t.Errorf("the answer saved %v, want nearly %v", saved, patience)
		}
	})
}

func TestAQuestionStopsTheBuild(t *testing.T) {
	var before, after string
	play(t, func(b *Build) error {
		if b.asking("sounds") {
			text, err := b.read(stateFile)
			if before == "" {
				before = text
			}
			after = text
			return err
		}
		return nil
	})
	if before == "" || before != after {
		t.Error("STATE.md changed while the agent was waiting for an answer")
	}
}

func TestAVerdictOtherThanPassIsHeeded(t *testing.T) {
	gap := false
	b, _ := play(t, func(b *Build) error {
		text, err := b.read(windUAT)
		switch {
		case errors.Is(err, os.ErrNotExist):
			return nil
		case strings.Contains(text, pendingResult):
			return b.write(windUAT, strings.Replace(text, pendingResult, "result: issue\nreported: \"it crackles\"", 1))
		case strings.Contains(text, "status: diagnosed"):
			gap = strings.Contains(text, "result: issue\nreported: \"it crackles\"\n") && strings.Contains(text, "  status: failed")
		}
		return err
	})
	if !gap {
		t.Error("the verdict was not kept as a gap")
	}
	if said := b.answer(windUAT); said != (answer{result: "pass"}) {
		t.Errorf("in the end the test says %q", said)
	}
}

func TestASkipIsKept(t *testing.T) {
	b, _ := play(t, func(b *Build) error {
		text, err := b.read(windUAT)
		if err != nil || !strings.Contains(text, pendingResult) {
			return nil
		}
		return b.write(windUAT, strings.Replace(text, pendingResult, "result: skipped\nreason: there was no wind", 1))
	})
	text, err := b.read(windUAT)
	if err != nil || !strings.Contains(text, "result: skipped\nreason: there was no wind\n") || !strings.Contains(text, "skipped: 1") || !strings.Contains(text, "status: complete") {
		t.Errorf("the file is (%v)\n%s", err, text)
	}
}

func TestAHalfSavedAnswerIsNoAnswer(t *testing.T) {
	c := newClock()
	b, dir := begin(t, c, c.alone())
	for name, text := range map[string]string{signalFile: `{"sta`, windUAT: "---\nstatus: testing\n"} {
		if err := b.write(name, text); err != nil {
			t.Fatal(err)
		}
	}
	b.question("q")
	if err := os.WriteFile(filepath.Join(dir, planning, signalFile), []byte(`{"sta`), 0o644); err != nil {
		t.Fatal(err)
	}
	if b.open[0].answered() {
		t.Error("half a WAITING.json counts as an answer")
	}
	if judged(b, windUAT) {
		t.Error("half a UAT file counts as an answer")
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := newClock()
	ticks := 0
	c.user = func() error {
		if ticks++; ticks == 40 {
			cancel()
		}
		return nil
	}
	b, _ := begin(t, c, c.alone())
	if err := b.Run(ctx); !errors.Is(err, context.Canceled) || ticks != 40 {
		t.Errorf("Run: %v after %d ticks, want it to end at the 40th", err, ticks)
	}

	cancel()
	real, err := New(filepath.Join(t.TempDir(), Name), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := real.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Run in real time: %v, want it to end with its context", err)
	}
}

func TestSpeedDividesTheWaits(t *testing.T) {
	c := newClock()
	o := c.alone()
	o.Speed = 10
	b, _ := begin(t, c, o)
	start := c.now
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if took := c.now.Sub(start); took < 12*time.Second || took > 18*time.Second {
		t.Errorf("ten times as fast, a round took %v", took)
	}
}
