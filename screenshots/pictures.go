package main

// This file lists the pictures, and makes the build that they show.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/charmbracelet/colorprofile"

	"gatehouse/cmd/gatehouse/demo"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/tui"
	"gatehouse/tui/draw"
)

// file is a finished picture.
type file struct{ name, svg string }

// picture is one that is to be drawn of the dashboard.
type picture struct {
	name          string
	width, height int
	theme         draw.Theme
	palette       *palette
	keys          []string // pressed before
	alt           string
}

var pictures = []picture{
	{"dashboard-120x40-dark", 120, 40, draw.ThemeDark, &dark, nil,
		"The dashboard at 120 by 40: what waits for you, the tree of phases and plans, and the details of what is selected."},
	{"dashboard-120x40-light", 120, 40, draw.ThemeLight, &light, []string{"n"},
		"The same dashboard on a light background."},
	{"dashboard-80x24-dark", 80, 24, draw.ThemeDark, &dark, nil,
		"The dashboard at 80 by 24: one column."},
	{"dashboard-200x60-dark", 200, 60, draw.ThemeDark, &dark, []string{"n"},
		"The dashboard at 200 by 60: everything at once."},
	{"filter-80x24-dark", 80, 24, draw.ThemeDark, &dark, []string{"f", "w", "b"},
		"The tree filtered by state: what waits and what is blocked, with the rows above it."},
	{"timeline-120x40-dark", 120, 40, draw.ThemeDark, &dark, []string{"n", "3", "1", "6", "k", "k"},
		"The timeline has the focus; the file behind the change selected in it is open at its line."},
	{"metrics-120x40-dark", 120, 40, draw.ThemeDark, &dark, []string{"8", "z"},
		"The numbers of a build: what was done when, what is left, how long plans and phases took, and the phases over time."},
	{"sidebar-40x20-dark", 40, 20, draw.ThemeDark, &dark, nil,
		"The dashboard as a sidebar of 40 columns."},
}

// shown is the project of the demo that the pictures show.
const shown = "dawnbook"

// start is when the shown build begins, in no place's time in particular.
var start = time.Date(2026, time.June, 14, 9, 30, 0, 0, time.UTC)

// drawAll draws every picture.
func drawAll(ctx context.Context) ([]file, error) {
	temp, err := os.MkdirTemp("", "gatehouse-screenshots-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	film := film{dir: filepath.Join(temp, shown), home: temp}
	now, err := playUntil(ctx, temp, demo.Options{Only: shown, Until: demo.MarkQuestion}, film.takeSnapshot)
	if err == nil {
		err = film.takeSnapshot(now)
	}
	if err != nil {
		return nil, err
	}
	before, snap := film.lastSnapshots(watched)

	var files []file
	for _, p := range pictures {
		frame := tui.FrameAfter(before, snap, p.width, p.height, tui.Options{
			Clock:   func() time.Time { return now },
			Theme:   p.theme,
			Profile: colorprofile.TrueColor,
			Files:   parse.Files{film.project},
			Actor:   parse.NewActions([]*parse.Project{film.project}, "dashboard", func() time.Time { return now }),
		}, p.keys...)
		s, err := parseFrame(frame, p.width, p.height)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		files = append(files, file{p.name, drawSVG(s, p.palette, window{"gatehouse — " + shown, p.alt})})
	}
	fleet, err := drawFleet(ctx, &film, snap, now)
	if err != nil {
		return nil, err
	}
	prompt, err := drawPrompt(ctx, temp)
	if err != nil {
		return nil, err
	}
	approving, err := drawApproving(ctx, temp)
	return append(files, fleet, prompt, approving), err
}

// pace is how much slower than the demo a real build goes. It gives the things
// in the picture ages that differ.
const pace = 40

// watched is how many looks before the last one the dashboard of the pictures was opened.
const watched = 8

// film holds the snapshots of a dashboard that was open while the build went on.
type film struct {
	dir, home string
	project   *parse.Project
	snaps     []*model.Snapshot
}

// takeSnapshot reads the build as it is.
func (f *film) takeSnapshot(now time.Time) (err error) {
	if f.project == nil {
		if f.project, err = parse.Open(f.dir, parse.User{Name: "ada", Home: f.home, Journal: filepath.Join(f.home, "journal")}); err != nil {
			return err
		}
	}
	f.project.Touch()
	f.snaps = append(f.snaps, &model.Snapshot{Version: uint64(len(f.snaps) + 1), At: now, Projects: []*model.Project{f.project.Read(now)}})
	return nil
}

// lastSnapshots returns the end of the film: some snapshots, and the one after them.
func (f *film) lastSnapshots(n int) (before []*model.Snapshot, snap *model.Snapshot) {
	end := len(f.snaps) - 1
	return f.snaps[max(end-n, 0):end], f.snaps[end]
}

// playUntil plays builds of the demo into a directory in no time at all, and returns what its clock says some minutes after the end. It
// calls look, which may be nil and ends the demo by an error, before each wait.
func playUntil(ctx context.Context, dir string, opts demo.Options, look func(now time.Time) error) (time.Time, error) {
	now := start
	opts.Now = func() time.Time { return now }
	opts.Sleep = func(ctx context.Context, d time.Duration) error {
		if look != nil {
			if err := look(now); err != nil {
				return err
			}
		}
		now = now.Add(pace * d)
		return ctx.Err()
	}
	player, err := demo.New(dir, opts)
	if err != nil {
		return now, err
	}
	err = player.Play(ctx)
	return now.Add(3 * time.Minute), err
}
