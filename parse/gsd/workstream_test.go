package gsd

import (
	"fmt"
	"slices"
	"testing"

	"gatehouse/parse/disk/mirror"
)

func TestWorkstreams(t *testing.T) {
	dir := tree(t, map[string]string{
		"STATE.md":                  "---\nmilestone: v1\n---\n",
		"active-workstream":         "docs\n",
		"workstreams/docs/STATE.md": "---\nmilestone: d1\n---\n",
		"workstreams/docs/phases/01-a/01-01-PLAN.md": "x",
	})
	var ids []string
	for _, r := range Readers(mirror.New(dir)) {
		b := r.Read(now)
		ids = append(ids, fmt.Sprintf("%s %s %t", b.ID, b.Title, b.Selected))
	}
	if want := []string{"gsd v1 false", "gsd:docs d1 true"}; !slices.Equal(ids, want) {
		t.Errorf("builds %q, want %q", ids, want)
	}
}

func TestWorkstreamsShowASignalOfTheProjectOnce(t *testing.T) {
	dir := tree(t, map[string]string{
		"WAITING.json":               `{"status":"waiting","question":"Which first?"}`,
		"HANDOFF.json":               `{"status":"paused","context_notes":"lunch"}`,
		"workstreams/a/STATE.md":     "---\nmilestone: a\n---\n",
		"workstreams/b/STATE.md":     "---\nmilestone: b\n---\n",
		"workstreams/b/WAITING.json": `{"status":"waiting","question":"Of b alone?"}`,
	})
	var got []string
	for _, r := range Readers(mirror.New(dir)) {
		b := r.Read(now)
		for _, w := range b.Waits {
			got = append(got, b.ID+" "+w.Text)
		}
		if b.Pause != nil {
			got = append(got, b.ID+" paused at "+b.Pause.Reason)
		}
	}
	if want := []string{"gsd:a Which first?", "gsd:a paused at lunch", "gsd:b Of b alone?"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
