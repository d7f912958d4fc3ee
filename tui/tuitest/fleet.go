package tuitest

// Projects on several machines.

import (
	"time"

	"gatehouse/model"
)

// On puts the projects of a snapshot on a host of a fleet.
func On(h *model.Host, snap *model.Snapshot) []*model.Project {
	h.Fleet = "work"
	h.Why = h.Stands(Noon)
	for _, p := range snap.Projects {
		p.Host, p.Root = h, h.Name+":"+p.Root
	}
	return snap.Projects
}

// Fleet has a shop here and shops on three hosts: one is connected, one has been offline for an hour, and one, with a long name, has a clock that
// is wrong. A fourth host has no project.
func Fleet() *model.Snapshot {
	here := Shop()
	there := &model.Host{Name: "build-7", State: model.HostLive}
	gone := &model.Host{Name: "build-8", State: model.HostSilent, AsOf: Ago(time.Hour)}
	long := &model.Host{Name: "ci-工房-runner-with-a-name-that-has-sixty-letters-in-all-of-it-00", State: model.HostLive, ClockAhead: 3 * 60 * 60}
	here.Hosts = []*model.Host{there, gone, long, {Name: "idle", Fleet: "work", State: model.HostLive}}
	for _, h := range here.Hosts[:3] {
		here.Projects = append(here.Projects, On(h, Shop())...)
	}
	done := &model.Build{ID: "gsd", Protocol: "gsd", Title: "v1.0", Status: model.Done, File: ".planning/STATE.md"}
	here.Projects = append(here.Projects, On(gone, &model.Snapshot{Projects: []*model.Project{{Root: "/src/blog", Name: "blog", Builds: []*model.Build{done}}}})...)
	return here
}
