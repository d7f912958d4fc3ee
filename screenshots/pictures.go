package main

// The pictures, and the build they show.

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

// picture is a picture of the dashboard to draw, at 120x40.
type picture struct {
	name string
	keys []string // keys to press before
	alt  string
}

var pictures = []picture{
	{"dashboard-120x40-dark", nil, "The dashboard at 120 by 40: what waits for you, the tree of phases and plans, and the details of what is selected."},
	{"filter-120x40-dark", []string{"f", "w", "b"}, "The tree filtered by state: what waits and what is blocked, with the rows above it."},
	{"timeline-120x40-dark", []string{"n", "3", "1", "6", "k", "k"}, "The timeline has the focus; the file behind the change selected in it is open at its line."},
	{"metrics-120x40-dark", []string{"8", "z"}, "The numbers of a build: what was done when, what is left, how long plans and phases took, and the phases over time."},
}

// shown is the project of the demo in the pictures.
const shown = "dawnbook"

// start is when the shown build begins, without a particular time zone.
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
	before := film.snaps[len(film.snaps)-1-watched : len(film.snaps)-1]

	var files []file
	for _, p := range pictures {
		const width, height = 120, 40
		opts := film.options(func() time.Time { return now })
		s, err := parseFrame(tui.FrameAfter(before, film.last(), width, height, opts, p.keys...), width, height)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		files = append(files, file{p.name, drawSVG(window{"gatehouse — " + shown, p.alt}, still{screen: s})})
	}
	approving, err := drawApproving(ctx, temp)
	return append(files, approving), err
}

// pace is how many times slower than the demo a real build runs. It makes the
// ages in the picture differ.
const pace = 40

// watched is how many snapshots before the last one the dashboard of the pictures was opened.
const watched = 8

// film holds the snapshots of a dashboard that was open during the build.
type film struct {
	dir, home string
	project   *parse.Project
	snaps     []*model.Snapshot
}

// takeSnapshot reads the current build.
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

// last returns the newest snapshot.
func (f *film) last() *model.Snapshot { return f.snaps[len(f.snaps)-1] }

// statusOf returns the status of a node in the last snapshot.
func (f *film) statusOf(id string) model.Status {
	for _, b := range f.last().Projects[0].Builds {
		if n, _ := b.Find(id); n != nil {
			return n.Status
		}
	}
	return model.Unknown
}

// options returns the options of a dashboard of the film.
func (f *film) options(clock func() time.Time) tui.Options {
	return tui.Options{Clock: clock, Theme: draw.ThemeDark, Profile: colorprofile.TrueColor, Files: parse.Files{f.project},
		Actor: parse.NewActions([]*parse.Project{f.project}, "dashboard", clock)}
}

// playUntil plays builds of the demo into a directory without waiting, and returns what its clock says some minutes after the end. It
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
