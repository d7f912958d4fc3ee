package statefile_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	. "gatehouse/parse/disk/statefile"
	"gatehouse/parse/disk/statefile/faults"
)

// rights runs a tool for access control lists or attributes. It skips the test if there is no such tool, or if the file system
// does not support them.
func rights(t *testing.T, tool string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skip("not here: ", tool)
	}
	out, err := exec.Command(tool, args...).CombinedOutput()
	if strings.Contains(string(out), "Operation not supported") {
		t.Skip("the file system has none: ", tool)
	}
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", tool, args, err, out)
	}
	return string(out)
}

// of returns the access rights and attributes of a file as the tools print them.
func of(t *testing.T, path string) string {
	t.Helper()
	return rights(t, "getfacl", "-cpn", path) + rights(t, "getfattr", "-d", "-m", "-", "--absolute-names", path) + stat(t, path).Mode().String()
}

// openProject makes a project that every user may enter.
func openProject(t *testing.T) project {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "statefile-") // other users cannot enter the test's own directory
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Chmod(dir, 0o777))
	p := project{t, dir, filepath.Join(dir, "x-state.json")}
	must(t, os.WriteFile(p.file, []byte("one"), 0o640))
	return p
}

func TestRightsAndAttributesAreKept(t *testing.T) {
	for name, set := range map[string]func(t *testing.T, p project){
		"nothing": func(*testing.T, project) {},
		"a list": func(t *testing.T, p project) {
			rights(t, "setfacl", "-m", "u:1234:rw", p.file)
		},
		// The group bits of the mode are then the mask of the list: setting them for the group would give it the rights of other entries.
		"a list that gives its group nothing": func(t *testing.T, p project) {
			rights(t, "setfacl", "--set", "u::rw,u:1234:rw,g::-,g:4321:r,m::rw,o::-", p.file)
		},
		"a list whose mask takes away": func(t *testing.T, p project) {
			rights(t, "setfacl", "--set", "u::rw,u:1234:rwx,g::rw,m::r,o::-", p.file)
		},
		"a directory that gives its files a list": func(t *testing.T, p project) {
			rights(t, "setfacl", "-d", "-m", "u:1234:rwx,g::rwx,m::rwx", p.dir)
		},
		"both": func(t *testing.T, p project) {
			rights(t, "setfacl", "-m", "u:1234:r", p.file)
			rights(t, "setfacl", "-d", "-m", "u:1235:rwx", p.dir)
		},
		"attributes": func(t *testing.T, p project) {
			rights(t, "setfattr", "-n", "user.note", "-v", "hello", p.file)
			rights(t, "setfattr", "-n", "user.bytes", "-v", "0x00ff0a", p.file)
			rights(t, "setfattr", "-n", "user.empty", p.file)
			rights(t, "setfattr", "-n", "user.large", "-v", strings.Repeat("x", 1000), p.file)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, user := range []string{"root", "nobody"} {
				if user == "root" && os.Getuid() != 0 {
					continue
				}
				p := openProject(t)
				set(t, p)
				if user == "nobody" && os.Getuid() == 0 {
					must(t, os.Chown(p.file, nobody, nobody))
					must(t, os.Chown(p.dir, nobody, nobody))
				}
				before := of(t, p.file)
				if user == "nobody" {
					if got := asNobody(t, p.file); got != "<nil>" {
						t.Error(got)
					}
				} else {
					_, err := NewStore(nil).Replace(t.Context(), p.target(), upper)
					must(t, err)
				}
				p.holds("ONE")
				if after := of(t, p.file); after != before {
					t.Errorf("%s: before:\n%s\nafter:\n%s", user, before, after)
				}
			}
		})
	}
}

// TestTrustedAttribute: attributes of the system itself are kept as far as the user may set them, and never prevent a write.
func TestTrustedAttribute(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root sees and sets one")
	}
	p := openProject(t)
	rights(t, "setfattr", "-n", "trusted.note", "-v", "hello", p.file)
	before := of(t, p.file)
	_, err := NewStore(nil).Replace(t.Context(), p.target(), upper)
	must(t, err)
	if after := of(t, p.file); after != before || !strings.Contains(before, "trusted.note") {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// TestForeignFileWithAccessList: a user who may write a file only by its access list would become its owner, and the owner could lose
// access; so the write is refused.
func TestForeignFileWithAccessList(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root makes a file that belongs to another user")
	}
	p := openProject(t)
	must(t, os.Chown(p.file, 1234, nobody))
	rights(t, "setfacl", "--set", fmt.Sprintf("u::rw,u:%d:rw,g::r,m::rw,o::-", nobody), p.file)
	before := of(t, p.file)
	if got := asNobody(t, p.file); !strings.Contains(got, "it would lose its owner or group; have its owner do it") {
		t.Error(got)
	}
	p.holds("one")
	if after := of(t, p.file); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// TestAttributeCannotBeKept: a file that would lose a list or an attribute stays unchanged, and the error names the reason.
func TestAttributeCannotBeKept(t *testing.T) {
	for name, set := range map[string][]string{
		"system.posix_acl_access": {"setfacl", "-m", "u:1234:rw"},
		"user.note":               {"setfattr", "-n", "user.note", "-v", "hello"},
	} {
		for _, errno := range []error{syscall.ENOTSUP, syscall.ENOSPC, syscall.EPERM} {
			p := openProject(t)
			rights(t, set[0], append(set[1:], p.file)...)
			before := of(t, p.file)
			_, err := NewStore(faults.Stepping(func(call string) error {
				if call == faults.SetAttr {
					return errno
				}
				return nil
			})).Replace(t.Context(), p.target(), upper)
			p.fails(err, errno, "was not changed: it would lose its "+name, "; write it by hand, or take that off it")
			p.holds("one")
			if after := of(t, p.file); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
		}
	}
	p := openProject(t)
	rights(t, "setfacl", "-d", "-m", "u:1234:rw", p.dir)
	_, err := NewStore(faults.Stepping(func(call string) error {
		if call == faults.DropAttr {
			return syscall.EPERM
		}
		return nil
	})).Replace(t.Context(), p.target(), upper)
	p.fails(err, fs.ErrPermission, "those of its directory are added")
	p.holds("one")
}

// TestRightsRevokedDuringWrite: rights that are revoked while the file is being written are not granted again.
func TestRightsRevokedDuringWrite(t *testing.T) {
	p := openProject(t)
	rights(t, "setfacl", "-m", "u:1234:rw", p.file)
	rights(t, "setfattr", "-n", "user.note", "-v", "hello", p.file)
	tries := 0
	want := ""
	w, err := skipping(nil).Replace(t.Context(), p.target(), func(content string) (string, error) {
		if tries++; tries == 1 {
			rights(t, "setfacl", "-x", "u:1234", p.file)
			rights(t, "setfattr", "-x", "user.note", p.file)
			want = of(t, p.file)
		}
		return upper(content)
	})
	must(t, err)
	if got := of(t, p.file); got != want || w.Tries != 2 {
		t.Errorf("%d tries; want:\n%s\ngot:\n%s", w.Tries, want, got)
	}
}

// TestRightsDuringWrite: at no moment does the new file allow any user more than the file it replaces.
func TestRightsDuringWrite(t *testing.T) {
	for name, lists := range map[string]struct{ file, dir string }{
		"no list":             {"u::rw,g::rw,o::r", "u::rwx,g::rwx,o::rwx"},
		"a list":              {"u::rw,u:1234:rw,g::-,m::rw,o::-", ""},
		"a default list, too": {"u::rw,u:1234:rw,g::-,m::rw,o::-", "u::rwx,u:1235:rwx,g::rwx,m::rwx,o::rwx"},
		"a default list only": {"u::rw,g::rw,o::r", "u::rwx,u:1235:rwx,g::rwx,m::rwx,o::rwx"},
	} {
		t.Run(name, func(t *testing.T) {
			p := openProject(t)
			rights(t, "setfacl", "--set", lists.file, p.file)
			if lists.dir != "" {
				rights(t, "setfacl", "-d", "--set", lists.dir, p.dir)
			}
			access := func(path string) string {
				buf := make([]byte, 1024)
				n, err := unix.Lgetxattr(path, "system.posix_acl_access", buf)
				if err != nil && !errors.Is(err, unix.ENODATA) {
					t.Fatal(err)
				}
				return string(buf[:max(n, 0)])
			}
			want, looks := access(p.file), 0
			_, err := NewStore(faults.Stepping(func(call string) error {
				temps, _ := filepath.Glob(filepath.Join(p.dir, ".x-state.json.gatehouse-*"))
				for _, temp := range temps {
					b, err := os.ReadFile(temp)
					must(t, err)
					if strings.Contains(string(b), `"pid"`) || len(b) == 0 { // a lock
						continue
					}
					looks++
					if mode := stat(t, temp).Mode(); mode&0o077 != 0 && (access(temp) != want || mode != stat(t, p.file).Mode()) {
						t.Errorf("before %s: mode %v, list %x", call, mode, access(temp))
					}
				}
				return nil
			})).Replace(t.Context(), p.target(), upper)
			must(t, err)
			if looks < 4 {
				t.Errorf("only %d looks", looks)
			}
		})
	}
}
