package view

import (
	"strings"
	"testing"

	"gatehouse/model"
)

// TestAsksOverTwoLinks: what an agent asks is answered over the link over which its host is there, also where a message has just come.
func TestAsksOverTwoLinks(t *testing.T) {
	f := newLook(t, &deaf{}, "")
	live := f.sources[0].hosts["build-7"]
	dead := &source{fleet: f, link: &deaf{}}
	dead.hosts = map[string]*host{"build-7": {source: dead, name: "build-7", presence: live.presence}}
	f.sources = []*source{dead, f.sources[0]}
	for _, h := range []*host{live, dead.hosts["build-7"]} {
		agents := &model.Build{ID: model.AgentsBuild, Nodes: []*model.Node{{ID: "agent/1", Gate: &model.Gate{Ask: &model.Ask{ID: "build-7:k7"}}}}}
		h.all()
		h.projects = map[string]*project{"/src": {host: h, root: "/src", builds: map[string]*entry{model.AgentsBuild: {shown: agents}}}}
		h.ordered = []*project{h.projects["/src"]}
	}
	if h, root, there, err := f.asked("build-7:k7"); h != live || root != "/src" || there != "k7" || err != nil {
		t.Errorf("%v %q %q %v", h == live, root, there, err)
	}
	if h := f.agentsOf("agent/1"); h != live {
		t.Error("its pane is sought over the dead link")
	}
	f.mu.Lock()
	live.projects, dead.hosts["build-7"].projects = nil, nil // a message has come
	f.mu.Unlock()
	if said, _ := f.Jump(t.Context(), "agent/1"); !strings.Contains(said, "ended") { // the stand-ins are gone: nothing panics
		t.Error(said)
	}
}
