package gsd

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/disk/mirror"
)

// The rows of tasks are kept from build to build: as long as they say the same.
func TestTasksAreLaidOutAnewWithTheirPlan(t *testing.T) {
	const task = "<tasks>\n<task type=\"auto\">\n<name>Task 1: Dig</name>\n</task>\n</tasks>\n"
	dir := tree(t, map[string]string{
		"phases/01-pond/01-01-PLAN.md": "---\n---\n" + task,
		"phases/01-pond/01-02-PLAN.md": "---\n---\n" + task,
	})
	file := func(name string) string { return filepath.Join(dir, Planning, "phases/01-pond", name) }
	old := now.Add(-time.Hour) // a file written just now is read again, for it may not be finished
	if err := os.Chtimes(file("01-02-PLAN.md"), old, old); err != nil {
		t.Fatal(err)
	}
	m := mirror.New(dir, Planning)
	r := Readers(m)[0]
	first := r.Read(now)

	write(t, file("01-01-SUMMARY.md"), "---\n---\n")
	m.Touch(file("01-01-SUMMARY.md"))
	done := r.Read(now)
	one, two := "task/01/01-01-PLAN.md/1", "task/01/01-02-PLAN.md/1"
	if got := modeltest.Node(t, done, one).Status; got != model.Done {
		t.Errorf("the task of a plan that has a summary now is %s", got)
	}
	if got := modeltest.Node(t, first, one).Status; got != model.Pending {
		t.Errorf("the task of the build handed out before has become %s", got)
	}
	if modeltest.Node(t, first, two) != modeltest.Node(t, done, two) {
		t.Error("a task in which nothing happened was laid out anew")
	}

	write(t, file("01-02-PLAN.md"), "---\n---\n<tasks>\n<task>\n<name>Task 1: Fill it</name>\n</task>\n</tasks>\n")
	m.Touch(file("01-02-PLAN.md"))
	if got := modeltest.Node(t, r.Read(now), two).Title; got != "Fill it" {
		t.Errorf("the task of a plan that was written again is %q", got)
	}
}
