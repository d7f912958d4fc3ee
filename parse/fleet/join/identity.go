package join

// What this user's account on this machine is known by, and the numbers of its processes.

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gatehouse/parse/disk/statefile"
)

// Machine returns what tells this user's account on this machine from all others, since it was started, from a directory where a part of it
// is kept; "" where it is not known: then nothing is taken for the account's own.
func Machine(dir string) string {
	id := account(dir)
	name, err := os.Hostname()
	if id == "" || err != nil {
		return ""
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // of Linux alone
	return told(id, name, string(boot))
}

// told tells an account on one machine from the same on a copy of it, or on another that shares its home.
func told(id, host, boot string) string {
	return id + "-" + statefile.Hash(host + "\x00" + boot)[:16]
}

// account returns what is kept of [Machine].
func account(dir string) string {
	if dir == "" {
		return ""
	}
	file := filepath.Join(dir, "machine")
	if data, err := os.ReadFile(file); err == nil && len(data) < 100 {
		return strings.TrimSpace(string(data))
	}
	id := make([]byte, 16)
	rand.Read(id)
	text := hex.EncodeToString(id)
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	t, err := os.CreateTemp(dir, ".machine-*")
	if err != nil {
		return ""
	}
	defer os.Remove(t.Name())
	_, err = t.WriteString(text + "\n")
	if err := errors.Join(err, t.Close()); err != nil {
		return ""
	}
	if err := os.Link(t.Name(), file); errors.Is(err, fs.ErrExist) { // another process was faster
		data, _ := os.ReadFile(file)
		return strings.TrimSpace(string(data))
	} else if err != nil {
		return ""
	}
	return text
}

// NextBoot returns the number of a process that begins now: milliseconds since 1970, or one more than that of the process before where the
// clock was set back. The number is kept in a directory.
func NextBoot(dir string, now time.Time) (uint64, error) {
	if dir == "" {
		return 0, errors.New("there is no place for what a host keeps; set HOME or XDG_STATE_HOME")
	}
	file := filepath.Join(dir, "boot")
	boot := uint64(now.UnixMilli())
	if data, err := os.ReadFile(file); err == nil {
		if last, err := strconv.ParseUint(strings.TrimSpace(string(data)), 10, 63); err == nil {
			boot = max(boot, last+1)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, err
	}
	t, err := os.CreateTemp(dir, ".boot-*")
	if err != nil {
		return 0, err
	}
	defer os.Remove(t.Name())
	_, err = fmt.Fprintln(t, boot)
	if err = errors.Join(err, t.Close()); err == nil {
		err = os.Rename(t.Name(), file)
	}
	return boot, err
}
