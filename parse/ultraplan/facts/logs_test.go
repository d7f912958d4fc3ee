package facts

import (
	"strings"
	"testing"

	"gatehouse/parse/protocol"
	"gatehouse/parse/text/yamldoc"
	"gatehouse/parse/ultraplan/fixture"
)

// FuzzLog holds that a log that is read by hand says what the library reads.
func FuzzLog(f *testing.F) {
	for _, s := range []string{
		fixture.Log("03-02", 1, "failure", "2026-01-26T10:00:00Z", "  error: \"no\"\n  metadata:\n    duration_ms: 1000\n    attempt: 1\n"), "status: x", "plan_id: a\nresult:\n  status: b\n",
		"plan_id: a\nresult:\n  status: b\n  evidence: |\n    x: y\n  verification:\n    output_summary: \"a\"\n", "plan_id: a\nresult:\n  status: 'b'\n", "plan_id: 010\nresult:\n  status: ~\n  files_modified: []\n", "plan_id: NULL\nresult:\n  status: null\n",
		"plan_id: a\nresult: 0\n  status: 0", "plan_id: a\nresult:\n  status: 0\n  files_modified:\n - 0", "plan_id: a\nresult:\n  status: 0\nevidence: |\n  0\n 0",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain, ok := plainLog(text)
		if !ok {
			return
		}
		d, err := yamldoc.Parse(text, 1)
		if err != nil {
			t.Fatalf("the library: %v", err)
		}
		r := d.Doc("result")
		if plain.Plan != d.String("plan_id") || plain.Status != r.String("status") || plain.Name != r.String("task_name") || plain.Error != Shorten(r.String("error")) ||
			plain.Files != len(r.Strings("files_modified")) || plain.Output != Shorten(r.Doc("verification").String("output_summary")) || !plain.At.Equal(protocol.ParseTime(d.String("logged_at"))) {
			t.Errorf("%q: %+v", text, plain)
		}
	})
}

// TestContradictoryLogs takes none that says two things for a success, in whatever form.
func TestContradictoryLogs(t *testing.T) {
	for _, change := range [][2]string{
		{"result:\n", "result:\n  status: failure\nresult:\n"}, {"  status: success\n", "  status: failure\n  status: success\n"}, {"exit_code: 0\n", "exit_code: 1\n    exit_code: 0\n"},
		{"logged_at:", "---\nlogged_at:"}, {"exit_code: 0", "exit_code: \"0\""}, {"exit_code: 0", "exit_code: '0'"}, {"exit_code: 0", "exit_code: 0.0"}, {"done_criteria_met: true", "done_criteria_met: \"true\""},
	} {
		text := fixture.Log("03-01", 1, "success", "2026-01-26T10:00:00Z", "")
		if l, err := ParseLog(text); err != nil || l.Lacks != "" {
			t.Fatalf("%+v, %v", l, err)
		}
		for _, comment := range []string{"", " # as of now"} { // with one the library reads it
			changed := strings.Replace(text, change[0], change[1], 1)
			if change[0] == "logged_at:" {
				changed = text + "---\n" + text
			}
			changed = strings.Replace(changed, "task_index: 1\n", "task_index: 1"+comment+"\n", 1)
			if l, err := ParseLog(changed); err == nil && l.Lacks == "" {
				t.Errorf("%q%s: it counts as %s", change, comment, l.Status)
			}
		}
	}
	// What the library reads counts as well.
	if l, err := ParseLog(strings.Replace(fixture.Log("03-01", 1, "success", "2026-01-26T10:00:00Z", ""), "task_index: 1\n", "task_index: 1 # first\n", 1)); err != nil || l.Lacks != "" {
		t.Errorf("%+v, %v", l, err)
	}
}
