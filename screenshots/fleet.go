package main

// This file draws the picture of a fleet: the demo's projects, on three machines, one of them offline.

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/charmbracelet/colorprofile"

	"gatehouse/cmd/gatehouse/demo"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/tui"
	"gatehouse/tui/draw"
)

// offlineFor is how many looks before the last one the host was heard of that is offline.
const offlineFor = 10

// drawFleet draws the end of a film and other builds of the demo, on this machine and two hosts.
func drawFleet(ctx context.Context, f *film, snap *model.Snapshot, now time.Time) (file, error) {
	here := snap.Projects[0]
	there := &model.Host{Name: "build-7", Fleet: "work", State: model.HostLive}
	before := f.snaps[max(len(f.snaps)-offlineFor, 0)]
	gone := &model.Host{Name: "build-8", Fleet: "work", State: model.HostSilent, AsOf: before.At}
	gone.Why = gone.Stands(now)
	shown := &model.Snapshot{Version: snap.Version, At: now, Hosts: []*model.Host{there, gone}, Projects: []*model.Project{here}}
	for _, x := range []struct {
		name string
		host *model.Host
	}{{"nestcam", there}, {"seedwatch", there}, {filepath.Base(f.dir), gone}} {
		p := here
		switch {
		case x.host == gone:
			p = before.Projects[0]
		default:
			if _, err := playUntil(ctx, f.home, demo.Options{Only: x.name, Until: demo.MarkQuestion}, nil); err != nil {
				return file{}, err
			}
			beside, err := parse.Open(filepath.Join(f.home, x.name), parse.User{Name: "ada", Home: f.home, Journal: filepath.Join(f.home, "journal")})
			if err != nil {
				return file{}, err
			}
			p = beside.Read(now)
		}
		elsewhere := *p
		elsewhere.Host, elsewhere.Root = x.host, fmt.Sprintf("%s:/src/%s", x.host.Name, x.name)
		shown.Projects = append(shown.Projects, &elsewhere)
	}
	const name, width, height = "fleet-120x40-dark", 120, 40
	frame := tui.FrameAfter(nil, shown, width, height, tui.Options{
		Clock: func() time.Time { return now }, Theme: draw.ThemeDark, Profile: colorprofile.TrueColor, Fleet: "work",
	}, "G")
	s, err := parseFrame(frame, width, height)
	if err != nil {
		return file{}, fmt.Errorf("%s: %w", name, err)
	}
	return file{name, drawSVG(s, &dark, window{"gatehouse --remote",
		"Projects of three machines in one dashboard. One is offline: what is known of it looks old, and nothing can be decided there."})}, nil
}
