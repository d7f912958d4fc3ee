// Leftovers of killed writers: temporary files, locks, and a file's second name. The next writer in the same directory
// removes them, and nothing else.

package statefile

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"gatehouse/parse/disk/process"
)

// The names of temporary files, such as ".x-state.json.gatehouse-4711-1f3c9a02-QK3….tmp", say whose they are: the process,
// the host, and 26 random characters. They begin with a dot and end in ".tmp": no pattern for state files takes
// them for one, and package watch does not look because of them.
const (
	tempMark = ".gatehouse-"
	tempEnd  = ".tmp"
	// tempRandom is the alphabet of crypto/rand.Text, and how long its texts are.
	tempRandom, tempRandomLen = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 26
)

// tempName returns an unused name for a file next to this one.
func (p *location) tempName() string {
	return p.tempPrefix() + strconv.Itoa(p.self.PID) + "-" + hostMark(p.self.Host) + "-" + rand.Text() + tempEnd
}

// hostMark returns the code of a host in file names: eight hexadecimal digits.
func hostMark(host string) string {
	sum := sha256.Sum256([]byte(host))
	return hex.EncodeToString(sum[:4])
}

func (p *location) tempPrefix() string {
	name := p.name
	if len(name) > 100 { // so that the whole name stays below the 255 bytes that file systems take
		name = Hash(name)[len("sha256:"):]
	}
	return "." + name + tempMark
}

// parseTempName reports whether a name belongs to a temporary file, and the process and host that made it; 0 is unknown:
// earlier versions did not record it.
func parseTempName(name string) (pid int, host string, ok bool) {
	at := strings.LastIndex(name, tempMark)
	if at < 2 || name[0] != '.' || !strings.HasSuffix(name, tempEnd) {
		return 0, "", false
	}
	parts := strings.Split(name[at+len(tempMark):len(name)-len(tempEnd)], "-")
	random := parts[len(parts)-1]
	if len(random) != tempRandomLen || strings.Trim(random, tempRandom) != "" {
		return 0, "", false
	}
	switch len(parts) {
	case 1:
		return 0, "", true
	case 3:
		pid, err := strconv.Atoi(parts[0])
		return pid, parts[1], err == nil && pid > 0 && len(parts[1]) == len(hostMark(""))
	}
	return 0, "", false
}

// IsLitter reports whether a name may be a leftover of a killed writer.
func IsLitter(name string) bool {
	_, _, ok := parseTempName(name)
	return ok || strings.HasSuffix(name, lockEnd)
}

// sweepLitter removes leftovers of dead writers from the directory, as far as they can be recognized: writers of this host have
// ended, and files of other hosts are too old to be in use. A writer that still uses one starts over.
func (s *Store) sweepLitter(p *location) {
	names, _ := p.dir.Names(-1)
	for _, name := range names {
		pid, mark, ok := parseTempName(name)
		lock := strings.HasSuffix(name, lockEnd)
		if !ok && !lock {
			continue
		}
		info, err := p.dir.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		by := process.ID{PID: pid}
		if mark == hostMark(p.self.Host) {
			by.Host = p.self.Host
		}
		if ok && s.hasEnded(p, by, info) {
			p.dir.Remove(name)
		} else if lock {
			q := *p
			q.name = strings.TrimSuffix(name, lockEnd)
			text, info, err := q.readLock()
			if h, ours := parseHolder(text); err == nil && ours && s.hasEnded(p, h.ID, info) {
				s.breakLock(&q, text)
			}
		}
	}
}

// hasEnded reports whether the process that made a file is gone.
func (s *Store) hasEnded(p *location, by process.ID, info fs.FileInfo) bool {
	switch process.LifeOf(s.system, by) {
	case process.Gone:
		return by.PID != p.self.PID
	case process.Runs:
		return false
	}
	return isStale(s.now(), info)
}

// Sweep removes leftovers of killed writers in the directory of a file, as every writer there does. A failure is not an
// error.
func (s *Store) Sweep(t Target) {
	if p, err := s.enterParent(t); err == nil {
		s.sweepLitter(p)
		p.dir.Close()
	}
}

// secondNames returns the additional temporary names of a file: if a system can't rename without replacing, a writer
// links a new file to its name and then removes the other name, and can be killed between.
func (p *location) secondNames(info fs.FileInfo) (second []string) {
	names, _ := p.dir.Names(-1)
	for _, name := range names {
		if _, _, ok := parseTempName(name); !ok || !strings.HasPrefix(name, p.tempPrefix()) {
			continue
		}
		if other, err := p.dir.Lstat(name); err == nil && os.SameFile(info, other) {
			second = append(second, name)
		}
	}
	return second
}

// halfMade reports whether all further names of a file are temporary ones of ours.
func (p *location) halfMade(info fs.FileInfo) bool {
	return linkCount(info) == uint64(1+len(p.secondNames(info)))
}

// removeSecondNames removes the additional temporary names of a file. The lock is held.
func (p *location) removeSecondNames() {
	if info, err := p.dir.Lstat(p.name); err == nil && info.Mode().IsRegular() && linkCount(info) > 1 {
		for _, name := range p.secondNames(info) {
			p.dir.Remove(name)
		}
	}
}

// isStale reports whether a file was last written so long ago, or so far ahead of the clock, that its writer is gone.
func isStale(now time.Time, info fs.FileInfo) bool {
	return now.Sub(info.ModTime()).Abs() > lockStale
}
