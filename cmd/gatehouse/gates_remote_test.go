package main

import (
	"strings"
	"testing"

	"gatehouse/model"
)

// TestGatesOutOfReach: whoever finds nothing that waits is told on which machines nobody knows.
func TestGatesOutOfReach(t *testing.T) {
	var said strings.Builder
	s := &env{stderr: &said}
	live := &model.Host{Name: "build-1", State: model.HostLive}
	cut := &model.Host{Name: "build-2", State: model.HostCutOff, Why: "cut off since 14:02"} // its link says so
	if err := s.checkReachable([]*model.Host{live, cut}); err != nil || said.String() != "" {
		t.Errorf("%v %s", err, said.String())
	}
	gone := &model.Host{Name: "build-7", State: model.HostSilent, Why: "offline since 14:02"}
	if err := s.checkReachable([]*model.Host{live, gone}); err == nil || said.String() != "gatehouse: build-7 is offline since 14:02; what waits there is unknown\n" {
		t.Errorf("%v %s", err, said.String())
	}
}
