package main

// The moving picture: a user opens the dashboard when a gate waits, approves it, and the agent continues.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gatehouse/cmd/gatehouse/demo"
	"gatehouse/model"
	"gatehouse/tui"
)

// errSeen ends the demo once the picture is complete.
var errSeen = errors.New("all is seen")

// drawApproving plays the demo until a gate is approved and the agent has continued.
func drawApproving(ctx context.Context, temp string) (file, error) {
	const project, width, height = "field-guide", 100, 30
	home := filepath.Join(temp, "approving")
	f := film{dir: filepath.Join(home, project), home: home}
	var (
		visit *tui.Visit // nil until the gate waits
		reel  []still
		now   time.Time
	)
	keep := func(key string, shown time.Duration) error {
		s, err := parseFrame(visit.Frame(), width, height)
		reel = append(reel, still{s, key, shown})
		return err
	}
	look := func(at time.Time) error { // before each wait of the demo
		now = at
		if err := f.takeSnapshot(now); err != nil {
			return err
		}
		if visit != nil {
			visit.Show(f.last())
			if f.statusOf("phase/WRITE") == model.Active {
				return errors.Join(keep("", 4*time.Second), errSeen)
			}
			return nil
		}
		if f.statusOf("gate/outline-gate") != model.Waiting {
			return nil
		}
		visit = tui.NewVisit(width, height, f.options(func() time.Time { return now }))
		visit.Show(f.last())
		err := keep("", 4*time.Second)
		visit.Press("a")
		err = errors.Join(err, keep("a", 5*time.Second))
		visit.Press("y")
		// The file that was just written has the machine's time instead of the story's.
		state := filepath.Join(f.dir, f.last().Projects[0].Builds[0].File)
		if err = errors.Join(err, os.Chtimes(state, now, now), f.takeSnapshot(now)); err != nil {
			return err
		}
		if is := f.statusOf("gate/outline-gate"); is != model.Done {
			return fmt.Errorf("the gate is %v after y", is)
		}
		visit.Show(f.last())
		return keep("y", 3*time.Second)
	}
	run := func(context.Context, demo.Command) int { return 0 } // a wait ends once the gate is approved
	if _, err := playUntil(ctx, home, demo.Options{Only: project, Run: run}, look); !errors.Is(err, errSeen) {
		return file{}, fmt.Errorf("approving: the demo ended before the agent went on: %w", err)
	}
	return file{"approving", drawSVG(window{"gatehouse — " + project,
		"The dashboard shows that a gate waits. a asks about it, with what it releases; y approves it, and the agent goes on."}, reel...)}, nil
}
