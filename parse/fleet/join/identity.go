package join

// What this user's account on this machine is known by, and the numbers of its processes.

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
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
	switch err := statefile.CreateOwn(file, []byte(text+"\n")); {
	case errors.Is(err, fs.ErrExist): // another process was faster
		data, _ := os.ReadFile(file)
		return strings.TrimSpace(string(data))
	case err != nil:
		return ""
	}
	return text
}

// NextBoot returns the number of a process that begins now: milliseconds since 1970, or one more than that of the process before where the
// clock was set back. No two processes have the same: each makes a file in a directory that is called by its number, and the highest stays.
func NextBoot(dir string, now time.Time) (uint64, error) {
	if dir == "" {
		return 0, errors.New("there is no place for what a host keeps; set HOME or XDG_STATE_HOME")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, err
	}
	for {
		last, err := lastBoot(dir)
		if err != nil {
			return 0, err
		}
		boot := max(uint64(now.UnixMilli()), last+1)
		f, err := os.OpenFile(filepath.Join(dir, bootFile+strconv.FormatUint(boot, 10)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		switch {
		case errors.Is(err, fs.ErrExist): // another process was faster
		case err != nil:
			return 0, err
		default:
			return boot, f.Close()
		}
	}
}

// bootFile is what the names begin with of the files that hold numbers of processes, behind which the number stands; all but the highest stay as
// long as a process may take from looking at them to making its own.
const (
	bootFile  = "boot-"
	bootStays = time.Hour
)

// lastBoot returns the highest number of a process that a directory knows, 0 for none, and removes the files of old ones.
func lastBoot(dir string) (last uint64, err error) {
	entries, err := os.ReadDir(dir)
	numbers := map[uint64]os.DirEntry{}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), bootFile)
		if n, bad := strconv.ParseUint(number, 10, 63); ok && bad == nil {
			numbers[n], last = e, max(last, n)
		}
	}
	for n, e := range numbers {
		if info, err := e.Info(); n != last && err == nil && time.Since(info.ModTime()) > bootStays { // by the clock that dates files
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
	return last, err
}
