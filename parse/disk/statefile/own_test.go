package statefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestOwnFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	file := filepath.Join(dir, "x")
	for _, step := range []struct {
		put     func(string, []byte) error
		content string
		err     error
		want    string
	}{
		{CreateOwn, "1", nil, "1"}, {CreateOwn, "2", fs.ErrExist, "1"}, {ReplaceOwn, "3", nil, "3"},
	} {
		if err := step.put(file, []byte(step.content)); !errors.Is(err, step.err) {
			t.Errorf("%s: %v", step.content, err)
		}
		if got, err := os.ReadFile(file); string(got) != step.want {
			t.Errorf("it is %q, want %q: %v", got, step.want, err)
		}
	}
	if all, err := os.ReadDir(dir); len(all) != 1 {
		t.Error("other entries:", all, err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if err := ReplaceOwn(filepath.Join(file, "y"), nil); err == nil {
		t.Error("a file is below a file")
	}
}
