package hook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/doc"

	"gatehouse/parse/conformance"
)

func callOf(t *testing.T, tool, input, dir string) call {
	t.Helper()
	tree, fault := doc.ParseJSON(input)
	if fault != nil {
		t.Fatal(fault)
	}
	return newCall(tool, tree.Root(), dir)
}

// TestCallDiff checks how tool calls that change files are shown. $dir is the project.
func TestCallDiff(t *testing.T) {
	files := map[string]string{
		"a.go":     "1\n2\n3\n4\nold\n6\n7\n8\n9\n",
		"twice.go": "x\ny\nx\n",
		"open.txt": "no end",
		"crlf.txt": "a\r\nb\r\n",
		".env":     "TOKEN=secret\n",
		"bin":      "a\x00b",
		"large":    strings.Repeat("x\n", maxFile/2+1),
	}
	conformance.OwnRows(t, "diffs.jsonl", func(t *testing.T, c struct {
		ID, Tool, File, Input, Want string
	}) {
		dir := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Mkdir(filepath.Join(dir, "dir"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(".env", filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, c.File)
		input := `{"file_path":"` + path + `",` + c.Input + `}`
		call := callOf(t, c.Tool, input, dir).describeCall()
		want := strings.NewReplacer("$dir/F", path).Replace(c.Want)
		if call.Diff != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.ID, call.Diff, want)
		}
		if !strings.HasPrefix(call.Input, "file_path: "+path+"\n") {
			t.Errorf("%s: whole call %q", c.ID, call.Input)
		}
	})
}

// TestDiffIsStored checks that a diff reaches the dialog clean, that lists leave it out, and that a call whose diff is too long is shown
// whole, without the diff.
func TestDiffIsStored(t *testing.T) {
	w := newWorld(t, "claude")
	for content, want := range map[string]string{
		"\x1b[2J\tx":                  "--- /dev/null\n+++ /none/x\n@@ -0,0 +1,1 @@\n+␛[2J    x\n\\ No newline at end of file\n",
		strings.Repeat("\x1b", 1<<19): "",
	} {
		input, _ := json.Marshal(map[string]string{"file_path": "/none/x", "content": content})
		item, done := w.asks(t.Context(), "claude", `{"session_id":"s1","cwd":"/shop","hook_event_name":"PermissionRequest","tool_name":"Write","tool_input":%s}`, input)
		if item.Call.Diff != want || !strings.Contains(item.Call.Input, "␛") {
			t.Errorf("%.200q, want %q", item.Call.Diff, want)
		}
		if listed := w.waiting()[0].Call; listed.Diff+listed.Input != "" {
			t.Errorf("listed: %+v", listed)
		}
		w.answered(item, done, ask.Answer{Allow: true})
	}
}
