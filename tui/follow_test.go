package tui

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/tuitest"
)

// followed is the files of a fleet, which are told what is looked at.
type followed struct {
	model.Files
	builds []string
}

func (f *followed) Follow(project, build string) { f.builds = append(f.builds, project+" "+build) }

// TestFollowsWhatIsSelected: the build that is looked at is told once, however often its row is drawn.
func TestFollowsWhatIsSelected(t *testing.T) {
	files := &followed{}
	opts := plainOptions()
	opts.Files = files
	u := user{t, newDashboard(opts, func(*index.Index) tea.Cmd { return nil })}
	u.d.resizeTo(120, 40)
	snap := tuitest.Fleet()
	u.d.showSnapshot(index.New(snap, nil))
	var want []string
	for _, s := range u.d.index.Sites[:2] {
		u.d.tree.GoTo(s.Place(""))
		u.d.layOut()
		u.d.followBuild()
		u.d.followBuild()
		want = append(want, s.Project.Root+" "+s.Build.ID)
	}
	if !slices.Equal(files.builds, want) {
		t.Errorf("%q, want %q", files.builds, want)
	}
}
