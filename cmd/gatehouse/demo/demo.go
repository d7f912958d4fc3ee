// Package demo plays recorded builds: it writes the files of four projects into a directory step by step, as agents would. When an agent
// would wait for the user, it waits, too, through the commands of gatehouse itself.
//
// The builds are the archives in timelines/ (in the format of package txtar). The comment of an archive lists the steps, one per line. Its
// files are the contents that the steps write:
//
//	@3s write PATH FILE       write a file of the archive, three seconds after the start of the build
//	@3s edit PATH FILE        replace the lines after "-" by those after "+", in each part that begins with @@
//	@3s remove PATH           remove a file
//	@3s run ARG...            run a command of gatehouse in the project; <FILE gives it a file of the archive as standard input, and
//	                          CODE=LABEL goes on at a label if it exits so
//	@3s wait ARG...           the same for a command that waits for the user
//	@3s mark NAME             give this moment a name
//	@3s goto LABEL            continue at a line "LABEL:"
//
// A word in ” may contain blanks. Times in files are {{time -2h}}, {{stamp -2h}}, {{minute -2h}} and {{day -1}}, relative to the start.
package demo

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// Name is the name of the directory into which the projects are written.
const Name = "demo"

// build is a timeline that is played in a project.
type build struct{ timeline, project string }

// builds lists all builds. The first one is the tutorial: the others begin once it has passed the mark "taught", or after patience.
var builds = []build{{"field-guide", "field-guide"}, {"dawnbook", "dawnbook"}, {"nestcam", "nestcam"}, {"camera", "nestcam"}, {"seedwatch", "seedwatch"}}

const patience = 60 * time.Second

// The marks of dawnbook.
const (
	MarkStart    = "start"    // its first files are written
	MarkQuestion = "question" // a plan halted, another is blocked by it, and the agent asks
	MarkFailed   = "failed"   // a verification found a gap
)

// Options configure the player. The zero value plays in real time and stops when a user has to decide.
type Options struct {
	Now   func() time.Time                                 // the clock; nil for the machine's
	Sleep func(ctx context.Context, d time.Duration) error // waits; nil for real time
	Speed float64                                          // divides each wait; 0 for 1
	Run   func(ctx context.Context, c Command) (code int)  // runs a command of gatehouse; nil for none
	Alone bool                                             // there is no user: a build ends when it waits for one
	Only  string                                           // the only project to play, "" for all
	Until string                                           // the mark at which playing ends, "" for none
}

// Command is a command line of gatehouse that an agent runs.
type Command struct {
	Dir   string // of the project
	Stdin string
	Args  []string
}

// Player plays the builds in one directory.
type Player struct {
	dir    string
	opts   Options
	taught chan struct{}
}

//go:embed timelines
var timelines embed.FS

// errUntil ends a build at the mark of [Options.Until].
var errUntil = errors.New("the mark is reached")

// New prepares a directory: it creates the directories of the projects. It refuses a directory that already has one of them.
func New(dir string, opts Options) (*Player, error) {
	opts.Speed = cmp.Or(opts.Speed, 1)
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Sleep == nil {
		opts.Sleep = sleepFor
	}
	p := &Player{dir: dir, opts: opts, taught: make(chan struct{})}
	for _, d := range p.Dirs() {
		if _, err := os.Lstat(d); err == nil {
			return nil, fmt.Errorf("%s: already there; the demo needs a directory without it", d)
		}
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func sleepFor(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Dirs returns the directories of the projects.
func (p *Player) Dirs() (dirs []string) {
	for _, b := range builds {
		if dir := filepath.Join(p.dir, b.project); (p.opts.Only == "" || p.opts.Only == b.timeline) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// Play plays until all builds have ended or wait for an absent user, or until the context ends; then it returns the context's error.
func (p *Player) Play(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var played []build
	for _, b := range builds {
		if p.opts.Only == "" || p.opts.Only == b.timeline {
			played = append(played, b)
		}
	}
	ended := make(chan error, len(played))
	for i, b := range played {
		go func() {
			if i > 0 && !p.opts.Alone {
				select {
				case <-p.taught:
				case <-ctx.Done():
				case <-time.After(time.Duration(float64(patience) / p.opts.Speed)):
				}
			}
			err := p.playTrack(ctx, b)
			if err != nil && !errors.Is(err, errUntil) {
				stop(err)
			}
			ended <- err
		}()
	}
	var failed error
	for range played {
		if err := <-ended; err != nil && !errors.Is(err, errUntil) && failed == nil {
			failed = context.Cause(ctx)
		}
	}
	return failed
}

// track is a build that is being played.
type track struct {
	*Player
	dir   string
	files map[string]string
	at    time.Duration // position in the recording
	// past lists the moments of the recording that were played, and when that was.
	past []moment
}

type moment struct {
	at  time.Duration
	now time.Time
}

// playTrack plays a build.
func (p *Player) playTrack(ctx context.Context, b build) error {
	name, dir := b.timeline, filepath.Join(p.dir, b.project)
	text, err := timelines.ReadFile("timelines/" + name + ".timeline")
	if err != nil {
		return err
	}
	archive := txtar.Parse(text)
	t := &track{Player: p, dir: dir, files: map[string]string{}, past: []moment{{0, p.opts.Now()}}}
	for _, f := range archive.Files {
		t.files[f.Name] = string(f.Data)
	}
	lines := strings.Split(strings.TrimRight(string(archive.Comment), "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		words := splitSteps(lines[i])
		if len(words) < 2 || words[0] == "#" {
			continue // nothing, a label or a comment
		}
		label, err := t.runStep(ctx, words)
		switch {
		case errors.Is(err, errEnd):
			return nil
		case errors.Is(err, errUntil), ctx.Err() != nil:
			return err
		case err != nil:
			return fmt.Errorf("demo: %s: %q: %w", name, lines[i], err)
		case label != "":
			if i = slices.Index(lines, label+":"); i < 0 {
				return fmt.Errorf("demo: %s: no label %q", name, label)
			}
		}
	}
	return nil
}

// errEnd ends a build that waits for a user although there is none.
var errEnd = errors.New("nobody decides")

// splitSteps returns the words of a line.
func splitSteps(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// runStep runs a step, and returns the label at which to continue, "" for the next line.
func (t *track) runStep(ctx context.Context, words []string) (label string, err error) {
	at, err := time.ParseDuration(strings.TrimPrefix(words[0], "@"))
	if err != nil {
		return "", err
	}
	if at > t.at {
		if err := t.opts.Sleep(ctx, time.Duration(float64(at-t.at)/t.opts.Speed)); err != nil {
			return "", err
		}
		t.at = at
	}
	if at > 0 {
		t.past = append(t.past, moment{at, t.opts.Now()})
	}
	verb, args := words[1], words[2:]
	path := filepath.Join(t.dir, filepath.FromSlash(t.expandArgs(args[0])))
	switch verb {
	case "write":
		return "", t.writeFile(path, t.expandArgs(t.files[args[1]]), at)
	case "edit":
		return "", t.editFile(path, t.expandArgs(t.files[args[1]]), at)
	case "remove":
		if err := os.Remove(path); !os.IsNotExist(err) {
			return "", err
		}
	case "run":
		return t.runCommand(ctx, args)
	case "wait":
		if t.opts.Run == nil || t.opts.Alone {
			return "", errEnd
		}
		return t.runCommand(ctx, args)
	case "goto":
		t.at = 0 // after a jump, times start at zero again
		return args[0], nil
	case "mark":
		if args[0] == "taught" {
			close(t.taught)
		}
		if args[0] == t.opts.Until {
			return "", errUntil
		}
	default:
		return "", errors.New("no such step")
	}
	return "", nil
}

// runCommand runs a command, and returns the label for its exit code, "" without one.
func (t *track) runCommand(ctx context.Context, args []string) (label string, err error) {
	if t.opts.Run == nil {
		return "", nil
	}
	c, labels := Command{Dir: t.dir}, map[string]string{}
	for _, a := range args {
		code, to, is := strings.Cut(a, "=")
		file, stdin := strings.CutPrefix(a, "<")
		switch {
		case stdin:
			c.Stdin = t.expandArgs(t.files[file])
		case is && strings.Trim(code, "0123456789") == "":
			labels[code] = to
		default:
			c.Args = append(c.Args, a)
		}
	}
	code := t.opts.Run(ctx, c)
	if code == 2 && ctx.Err() == nil {
		return "", errors.New("the command line is wrong")
	}
	return labels[strconv.Itoa(code)], ctx.Err()
}

// expandArgs fills in the times of a text.
func (t *track) expandArgs(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		form, value, _ := strings.Cut(strings.Trim(found, "{}"), " ")
		if form == "day" {
			days, _ := strconv.Atoi(value)
			return t.past[0].now.UTC().AddDate(0, 0, days).Format(time.DateOnly)
		}
		at, _ := time.ParseDuration(value)
		return t.readTime(at).UTC().Format(map[string]string{"time": time.RFC3339Nano, "stamp": time.DateTime, "minute": "2006-01-02 15:04"}[form])
	})
}

var placeholder = regexp.MustCompile(`\{\{(time|stamp|minute|day) [^}]*\}\}`)

// readTime returns the time of a moment of the recording.
func (t *track) readTime(at time.Duration) time.Time {
	last := t.past[0]
	for _, m := range t.past {
		if m.at <= at {
			last = m
		}
	}
	return last.now.Add(at - last.at).Truncate(time.Millisecond)
}

// writeFile writes a file, with the file time of the recording.
func (t *track) writeFile(path, text string, at time.Duration) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path+".tmp", []byte(text), 0o644); err != nil {
		return err
	}
	if err := os.Chtimes(path+".tmp", t.readTime(at), t.readTime(at)); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}

// editFile changes the parts of a file that are still as recorded. The user may have changed other parts.
func (t *track) editFile(path, change string, at time.Duration) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed := "\n" + string(text)
	for part := range strings.SplitSeq(change, "@@\n") {
		before, after := "\n", "\n"
		for l := range strings.Lines(part) {
			if l[0] == '-' {
				before += l[1:]
			} else {
				after += l[1:]
			}
		}
		if part != "" {
			changed = strings.Replace(changed, before, after, 1)
		}
	}
	return t.writeFile(path, changed[1:], at)
}
