package hook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/parse/agents/ask"
	"gatehouse/parse/doc"
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
	const heads = "--- $dir/F\n+++ $dir/F\n"
	for _, c := range []struct{ name, tool, file, input, want string }{
		{"edit", "Edit", "a.go", `"old_string":"old","new_string":"new","replace_all":false`,
			heads + "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-old\n+new\n 6\n 7\n 8\n"},
		{"all places", "Edit", "twice.go", `"old_string":"x","new_string":"z","replace_all":true`, heads + "@@ -1,3 +1,3 @@\n-x\n+z\n y\n-x\n+z\n"},
		{"several edits", "MultiEdit", "a.go", `"edits":[{"old_string":"1","new_string":"one"},{"old_string":"one\n","new_string":""}]`,
			heads + "@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n"},
		{"not in the file", "Edit", "a.go", `"old_string":"gone\nb","new_string":"c\n"`,
			""},
		{"ambiguous", "Edit", "twice.go", `"old_string":"x\n","new_string":"z\n"`, ""},
		{"other line ends", "Edit", "crlf.txt", `"old_string":"b","new_string":"c"`, heads + "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
		{"no last newline", "Edit", "open.txt", `"old_string":"no","new_string":"an"`,
			heads + "@@ -1,1 +1,1 @@\n-no end\n\\ No newline at end of file\n+an end\n\\ No newline at end of file\n"},
		{"secrets", "Edit", ".env", `"old_string":"TOKEN","new_string":"KEY"`, ""},
		{"link to secrets", "Write", "link", `"content":"x\n"`, ""},
		{"directory", "Write", "dir", `"content":"x\n"`, ""},
		{"binary", "Write", "bin", `"content":"x\n"`, ""},
		{"large", "Write", "large", `"content":"x\n"`, ""},
		{"new file", "Write", "new.go", `"content":"a\n+b\n"`, "--- /dev/null\n+++ $dir/F\n@@ -0,0 +1,2 @@\n+a\n++b\n"},
		{"written over", "Write", "twice.go", `"content":"x\ny\n"`, heads + "@@ -1,3 +1,2 @@\n x\n y\n-x\n"},
		{"nothing new", "Write", "twice.go", `"content":"x\ny\nx\n"`, ""},
		{"created by an edit", "Edit", "new.go", `"old_string":"","new_string":"a\n"`, "--- /dev/null\n+++ $dir/F\n@@ -0,0 +1,1 @@\n+a\n"},
		{"more members", "Write", "new.go", `"content":"a\n","mode":"+x","+ b":"y\n-z"`,
			"--- /dev/null\n+++ $dir/F\n@@ -0,0 +1,1 @@\n+a\n\nmode: +x\n\"+ b\":\n  y\n  -z"},
		// encoding/json would take the second key for the first.
		{"other case", "Write", "new.go", `"content":"evil\n","Content":"good\n"`,
			"--- /dev/null\n+++ $dir/F\n@@ -0,0 +1,1 @@\n+evil\n\nContent:\n  good"},
		{"an edit with less", "Edit", "a.go", `"old_string":"1"`, ""},
		{"no texts", "Edit", "a.go", `"old_string":1,"new_string":["a"]`, ""},
		{"read", "Read", "a.go", `"limit":3`, ""},
	} {
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
		path := filepath.Join(dir, c.file)
		input := `{"file_path":"` + path + `",` + c.input + `}`
		call := callOf(t, c.tool, input, dir).describeCall()
		want := strings.NewReplacer("$dir/F", path).Replace(c.want)
		if call.Diff != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, call.Diff, want)
		}
		if !strings.HasPrefix(call.Input, "file_path: "+path+"\n") {
			t.Errorf("%s: whole call %q", c.name, call.Input)
		}
	}
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
