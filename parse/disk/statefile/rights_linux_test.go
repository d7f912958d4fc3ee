package statefile_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	. "gatehouse/parse/disk/statefile"
	"gatehouse/parse/disk/statefile/faults"
)

// setRights runs setfacl. It skips the test without the tool, or if the file system does not support lists.
func setRights(t *testing.T, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("setfacl"); err != nil {
		t.Skip(err)
	}
	if out, err := exec.Command("setfacl", args...).CombinedOutput(); err != nil {
		t.Skipf("setfacl %q: %v\n%s", args, err, out)
	}
}

// TestFileWithAccessList: a file that would lose its list stays unchanged, and the error names the reason.
func TestFileWithAccessList(t *testing.T) {
	p := newProject(t, "one")
	setRights(t, "-m", "u:1234:rw", p.file)
	_, err := NewStore(nil).Replace(t.Context(), p.target(), upper)
	p.fails(err, nil, "has an access control list", "take the list off it")
	p.holds("one")
}

// TestRightsDuringWrite: at no moment does the new file allow any user more than the file it replaces, even if its directory gives new files
// a list.
func TestRightsDuringWrite(t *testing.T) {
	p := newProject(t, "one")
	must(t, os.Chmod(p.file, 0o664))
	setRights(t, "-d", "--set", "u::rwx,u:1235:rwx,g::rwx,m::rwx,o::rwx", p.dir)
	looks := 0
	_, err := NewStore(faults.Stepping(func(call string) error {
		temps, _ := filepath.Glob(filepath.Join(p.dir, ".x-state.json.gatehouse-*"))
		for _, temp := range temps {
			looks++
			list, err := exec.Command("getfacl", "-cpn", temp).Output()
			must(t, err)
			if mode := stat(t, temp).Mode(); mode&0o077 != 0 && (mode != 0o664 || strings.Contains(string(list), "1235")) {
				t.Errorf("before %s: mode %v, %s", call, mode, list)
			}
		}
		return nil
	})).Replace(t.Context(), p.target(), upper)
	must(t, err)
	if looks < 4 {
		t.Errorf("only %d looks", looks)
	}
	p.holds("ONE")
}
