package main

// The picture of a fleet: the demo's projects, on three machines, one of them offline.

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"gatehouse/cmd/gatehouse/demo"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/tui/draw"
)

// offlineFor is the number of the last snapshot of the offline host, counted from the end.
const offlineFor = 10

// drawFleet draws the end of a film and other builds of the demo, on this machine and two hosts.
func drawFleet(ctx context.Context, f *film, now time.Time) (file, error) {
	there := &model.Host{Name: "build-7", Fleet: "work", State: model.HostLive}
	before := f.snaps[max(len(f.snaps)-offlineFor, 0)]
	gone := &model.Host{Name: "build-8", Fleet: "work", State: model.HostSilent, AsOf: before.At}
	gone.Why = gone.Stands(now)
	snap := &model.Snapshot{Version: f.last().Version, At: now, Hosts: []*model.Host{there, gone}, Projects: f.last().Projects[:1:1]}
	add := func(p *model.Project, name string, host *model.Host) {
		elsewhere := *p
		elsewhere.Host, elsewhere.Root = host, fmt.Sprintf("%s:/src/%s", host.Name, name)
		snap.Projects = append(snap.Projects, &elsewhere)
	}
	for _, name := range []string{"nestcam", "seedwatch"} {
		if _, err := playUntil(ctx, f.home, demo.Options{Only: name, Until: demo.MarkQuestion}, nil); err != nil {
			return file{}, err
		}
		p, err := parse.Open(filepath.Join(f.home, name), parse.User{Name: "ada", Home: f.home, Journal: filepath.Join(f.home, "journal")})
		if err != nil {
			return file{}, err
		}
		add(p.Read(now), name, there)
	}
	add(before.Projects[0], shown, gone)
	p := picture{"fleet-120x40-dark", 120, 40, draw.ThemeDark, []string{"G"},
		"Projects of three machines in one dashboard. One is offline: what is known of it looks old, and nothing can be decided there."}
	opts := f.options(func() time.Time { return now })
	opts.Files, opts.Actor, opts.Fleet = nil, nil, "work"
	return p.draw(nil, snap, opts, "gatehouse --remote")
}
