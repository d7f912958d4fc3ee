package tui

// User stories about the banner and the queue that its first key opens.

import (
	"slices"
	"testing"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/tuitest"
)

// TestOneTargetForBannerAndFooter checks that no key is offered twice with different targets.
func TestOneTargetForBannerAndFooter(t *testing.T) {
	for name, snap := range map[string]*model.Snapshot{"shops": tuitest.Shops(), "sessions": tuitest.Sessions(), "loop": tuitest.NewActor().Snapshot(1)} {
		opts := plainOptions()
		opts.Actor, opts.Answerer = tuitest.NewActor(), tuitest.NewAnswerer()
		d := dashboardOf(opts, snap, 200, 60)
		for range 40 {
			b := d.newBanner()
			for _, f := range d.newFooter().hints {
				if slices.ContainsFunc(b.keys, func(k draw.Hint) bool { return k.Key == f.Key }) {
					t.Errorf("%s: %s is in the banner and in the footer", name, f.Key)
				}
			}
			d.enterKeys("j")
		}
	}
}
