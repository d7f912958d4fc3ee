package pane

// The file behind what is selected, as it is, at its line. It is read and broken into lines in a command; here only the
// visible lines are drawn.

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// The bounds of what is laid out of a file. Beyond them nobody reads in a pane; an editor is one key away.
const (
	fileRows  = 20_000 // lines on the screen
	fileCells = 2_000  // bytes of one line
)

// fileKey says which text is shown, as of which snapshot, and for what width it is broken into lines.
type fileKey struct {
	project, file string
	snapshot      uint64
	width         int
}

// fileRow is one line on the screen: its number in the file, 0 where it goes on the one above.
type fileRow struct {
	number int
	text   string
}

// File is the pane.
type File struct {
	shown    fileKey
	rows     []fileRow
	digits   int // of the largest number
	problem  string
	line     int     // the line that it is about, 0 for none
	asked    fileKey // what the command under way reads
	reading  bool
	top      int
	width    int // of the text, as of the last Lay
	height   int
	revision uint64
}

// Name implements [Pane].
func (f *File) Name() string { return "File" }

// Words implements [Pane].
func (f *File) Words() string { return "the file behind it, at its line" }

// Title says which file it is, and the line.
func (f *File) Title(front bool) string {
	name := f.shown.file
	if name == "" || !front {
		return f.Name()
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	if f.line > 0 {
		name += ":" + strconv.Itoa(f.line)
	}
	return name
}

// Version implements [Pane].
func (f *File) Version() uint64 { return f.revision }

// Enter implements [Pane].
func (f *File) Enter() step { return step{Never: "e opens it in your editor"} }

// Click implements [Pane]: there is nothing to be selected.
func (f *File) Click(*draw.Look, int, int, int) {}

// TextMsg brings a text, or why there is none.
type TextMsg struct {
	key     fileKey
	rows    []fileRow
	problem string
}

// Read returns the command that reads what the pane should show, nil where it does already or something is under way: its
// answer asks again.
func (f *File) Read(files model.Files, s *Scene) tea.Cmd {
	if f.reading || !s.InView(FileID) || s.Index.Empty() {
		return nil
	}
	x, ok := s.Subject()
	if !ok {
		return nil
	}
	key, l := fileKey{x.Site.Project.Root, x.Source.File, s.Index.Snap.Version, f.width}, s.Look
	switch {
	case key == f.shown:
		f.seek(x.Source.Line)
		return nil
	case key.file == "":
		f.show(TextMsg{key: key, problem: "no file says more about this"}, 0)
		return nil
	case files == nil:
		f.show(TextMsg{key: key, problem: "files cannot be read here"}, 0)
		return nil
	}
	key.file = strings.Clone(key.file) // what is shown may outlive the snapshot
	f.asked, f.reading = key, true
	return func() tea.Msg {
		text, err := files.Text(key.project, key.file)
		msg := TextMsg{key: key}
		if err != nil {
			msg.problem = err.Error()
		}
		if text != "" {
			msg.rows = layText(l, text, key.width)
		}
		return msg
	}
}

// Take shows a text that was read, unless something else is selected by now: then that is read next.
func (f *File) Take(msg TextMsg, s *Scene) {
	line := 0
	if x, ok := s.Subject(); ok && x.Source.File == msg.key.file {
		line = x.Source.Line
	}
	f.show(msg, line)
}

// show shows a text. One that is shown already and only read again stays where it is.
func (f *File) show(msg TextMsg, line int) {
	same := f.shown.project == msg.key.project && f.shown.file == msg.key.file && f.shown.width == msg.key.width
	f.shown, f.rows, f.problem, f.reading = msg.key, msg.rows, msg.problem, false
	f.digits = 1
	if n := len(f.rows); n > 0 {
		for i := n - 1; i >= 0; i-- {
			if f.rows[i].number > 0 {
				f.digits = len(strconv.Itoa(f.rows[i].number))
				break
			}
		}
	}
	f.revision++
	if !same {
		f.line, f.top = 0, 0
	}
	f.seek(line)
	f.Scroll(0)
}

// seek goes to a line when it is another one than before.
func (f *File) seek(line int) {
	if line == f.line {
		return
	}
	f.line = line
	f.revision++
	for i, r := range f.rows {
		if r.number == max(line, 1) {
			f.top = i
			f.Scroll(-f.height / 4) // with some of what comes before
			return
		}
	}
}

// Move implements [Pane].
func (f *File) Move(by int) { f.Scroll(by) }

// Scroll implements [Scroller].
func (f *File) Scroll(by int) {
	if top := max(0, min(f.top+by, len(f.rows)-f.textHeight())); top != f.top {
		f.top = top
		f.revision++
	}
}

// textHeight returns the lines left for the text: a problem stands above it.
func (f *File) textHeight() int {
	if f.problem != "" {
		return f.height - 1
	}
	return f.height
}

// Lay implements [Pane].
func (f *File) Lay(_ *Scene, a draw.Area, _ bool) {
	f.width, f.height = a.PageWidth(), a.Height
	f.Scroll(0)
}

// Note implements [Pane].
func (f *File) Note(l *draw.Look) string { return draw.MoreNote(l, f.top, f.textHeight(), len(f.rows)) }

// Render draws the visible lines with their numbers; the line that it is about stands out.
func (f *File) Render(l *draw.Look, width, height int, _ bool) []string {
	lines := make([]string, 0, height)
	if f.problem != "" && height > 0 {
		r := l.Ribbon(width)
		r.Gap(1)
		r.Add(l.Theme.Wait, f.problem)
		lines = append(lines, r.Line())
	}
	here := false
	for i := max(f.top-1, 0); i >= 0 && i < len(f.rows); i-- { // the line at the top may have begun above it
		if f.rows[i].number > 0 {
			here = f.rows[i].number == f.line
			break
		}
	}
	for i := f.top; i < len(f.rows) && len(lines) < height; i++ {
		row := f.rows[i]
		if row.number > 0 {
			here = row.number == f.line
		}
		r := l.Ribbon(width)
		r.Gap(1)
		if row.number > 0 {
			number := strconv.Itoa(row.number)
			r.Gap(f.digits - len(number))
			st := l.Theme.Dim
			if here {
				st = l.Theme.Accent
			}
			r.Add(st, number)
		}
		r.To(f.digits + 2)
		if here {
			r.Under = l.Theme.Selected
		}
		r.Exactly("", row.text)
		if here {
			r.To(width - 1)
			r.Under = ""
		}
		lines = append(lines, r.Line())
	}
	return draw.Filled(lines, width, height)
}

// layText breaks a text into lines for a width.
func layText(l *draw.Look, text string, width int) []fileRow {
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.TrimSuffix(text, "\n")
	room := max(width-len(strconv.Itoa(strings.Count(text, "\n")+1))-1, 1)
	var rows []fileRow
	number := 0
	for s := range strings.SplitSeq(text, "\n") {
		number++
		s = strings.TrimSuffix(s, "\r")
		if len(s) > fileCells {
			s = s[:fileCells] + "…"
		}
		s = strings.ReplaceAll(s, "\t", "    ")
		for i, part := range l.WrapExactly(s, room) {
			row := fileRow{text: part}
			if i == 0 {
				row.number = number
			}
			rows = append(rows, row)
		}
		if len(rows) >= fileRows {
			return append(rows, fileRow{text: "… the rest is left out; open it in an editor"})
		}
	}
	return rows
}
