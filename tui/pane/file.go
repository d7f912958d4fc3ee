package pane

// The file of the selection, at its line: Markdown rendered or as written, other files as written. A command reads and lays out the text; this pane draws only the visible rows.

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/model"
	"gatehouse/tui/document"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// fileKey identifies a text by its file, snapshot, width and layout.
type fileKey struct {
	project, file string
	snapshot      uint64
	width         int
	asWritten     bool // all bytes are shown; else Markdown is drawn
}

// File is the pane.
type File struct {
	list
	at        index.Place // the subject whose file is shown
	source    model.Pos   // and the place that defines it
	files     int         // number of files
	number    int         // number of the shown file
	AsWritten bool        // Markdown is shown as written
	shown     TextMsg
	line      int // the line of the subject, 0 for none
	reading   bool
	width     int // of the text, as of the last Lay
}

// Title names the file, the line, and the number of the file among several.
func (f *File) Title(_ *Scene, front bool) string {
	name := f.shown.key.file
	if name == "" || !front {
		return f.Name
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	if f.line > 0 {
		name += ":" + strconv.Itoa(f.line)
	}
	if f.files > 1 {
		name += " " + strconv.Itoa(f.number+1) + "/" + strconv.Itoa(f.files)
	}
	return name
}

// Enter implements [Pane].
func (f *File) Enter() step { return step{Never: "e opens it in your editor"} }

// Pos returns the shown place: the line of the subject while it is visible, else the first visible line.
func (f *File) Pos() model.Pos {
	at := model.Pos{File: f.shown.key.file, Line: f.line}
	row := document.RowOf(f.shown.rows, f.line)
	if f.line == 0 || row < f.top || row >= f.top+f.room() {
		at.Line = document.LineAt(f.shown.rows, f.top)
	}
	return at
}

// TextMsg brings a text, or why there is none.
type TextMsg struct {
	key     fileKey
	rows    []document.Row
	lines   int
	problem string
}

// Read returns the command that reads the text to show. It is nil if the text is shown already or a command is running, which will read on.
func (f *File) Read(files model.Files, s *Scene) tea.Cmd {
	if f.reading || !s.InView(FileID) || s.Index.Empty() {
		return nil
	}
	x, ok := s.Subject()
	if !ok {
		return nil
	}
	f.followSubject(x)
	pos, l := f.chosenFile(x), s.Look
	key := fileKey{x.Site.Project.Root, pos.File, s.Index.Snap.Version, f.width, f.AsWritten}
	switch {
	case key == f.shown.key:
		f.seekLine(pos.Line)
		return nil
	case key.file == "":
		f.showText(TextMsg{key: key, problem: "no file says more about this"}, 0)
		return nil
	case files == nil:
		f.showText(TextMsg{key: key, problem: "files cannot be read here"}, 0)
		return nil
	}
	key.file = strings.Clone(key.file) // the shown text may outlive the snapshot
	f.reading = true
	return func() tea.Msg { return readText(l, files, key) }
}

// followSubject returns to the first file when the selection changes.
func (f *File) followSubject(x Subject) {
	if at := x.Place(); f.at != at || f.source != x.Source {
		f.at, f.source, f.number = at.Clone(), x.Source, 0
		f.source.File = strings.Clone(x.Source.File)
	}
	f.files = len(x.Files())
	f.number = max(0, min(f.number, f.files-1))
}

// chosenFile returns the file to show, and the line of the subject in it.
func (f *File) chosenFile(x Subject) model.Pos {
	if f.number == 0 {
		return x.Source
	}
	file := x.Files()[f.number].File
	if x.Node != nil && x.Node.Source.File == file {
		return x.Node.Source
	}
	return model.Pos{File: file}
}

// readText reads a file and lays it out.
func readText(l *draw.Look, files model.Files, key fileKey) TextMsg {
	text, err := files.Text(key.project, key.file)
	msg := TextMsg{key: key}
	if err != nil {
		msg.problem = err.Error()
	}
	if text == "" {
		return msg
	}
	msg.lines = strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	if !key.asWritten && document.IsMarkdown(key.file) {
		msg.rows = document.Markdown(l, text, key.width)
	} else {
		msg.rows = document.Raw(l, text, key.width-len(strconv.Itoa(msg.lines))-1)
	}
	return msg
}

// Take shows a text that was read, unless the selection has changed: then the new one is read next.
func (f *File) Take(msg TextMsg, s *Scene) {
	line := 0
	if x, ok := s.Subject(); ok {
		if at := f.chosenFile(x); at.File == msg.key.file {
			line = at.Line
		}
	}
	f.showText(msg, line)
}

// showText shows a text. A text that is only read or laid out again keeps its position.
func (f *File) showText(msg TextMsg, line int) {
	before := f.shown
	f.shown, f.reading, f.n, f.heads = msg, false, len(msg.rows), 0
	if msg.problem != "" {
		f.heads = 1
	}
	switch {
	case before.key.project != msg.key.project || before.key.file != msg.key.file:
		f.line, f.top = 0, 0
	case before.key.asWritten != msg.key.asWritten || before.key.width != msg.key.width:
		f.top = document.RowOf(msg.rows, document.LineAt(before.rows, f.top))
	}
	f.seekLine(line)
	f.Scroll(0)
}

// seekLine goes to a line if it has changed.
func (f *File) seekLine(line int) {
	if line == f.line {
		return
	}
	f.line = line
	if line > 0 {
		f.top = document.RowOf(f.shown.rows, line)
		f.Scroll(-f.height / 4) // with some rows above it
	}
}

// Markdown reports whether the text can be rendered.
func (f *File) Markdown() bool { return document.IsMarkdown(f.shown.key.file) }

// Next selects another file of the row.
func (f *File) Next(by int) { f.number = ((f.number+by)%f.files + f.files) % f.files }

// Move implements [Pane].
func (f *File) Move(by int) { f.Scroll(by) }

// Lay implements [Pane].
func (f *File) Lay(_ *Scene, a draw.Area, _ bool) {
	f.width, f.height = a.PageWidth(), a.Height
	f.Scroll(0)
}

// Note says which lines are visible.
func (f *File) Note(*draw.Look) string {
	rows := f.shown.rows
	if len(rows) <= f.room() {
		return ""
	}
	return strconv.Itoa(document.LineAt(rows, f.top)) + "-" + strconv.Itoa(document.LineAt(rows, f.top+f.room()-1)) +
		" of " + draw.Counted(f.shown.lines, "line")
}

// Render draws the visible rows, as written with their numbers. The sign of the line of the subject is to the left.
func (f *File) Render(l *draw.Look, width, height int, _ bool) []string {
	var heads []string
	if f.shown.problem != "" {
		r := l.Ribbon(width)
		r.Gap(1)
		r.Add(l.Theme.Wait, f.shown.problem)
		heads = append(heads, r.Line())
	}
	digits := 0
	if f.AsWritten || !f.Markdown() {
		digits = len(strconv.Itoa(f.shown.lines))
	}
	about := -1
	if f.line > 0 {
		about = document.LineAt(f.shown.rows, document.RowOf(f.shown.rows, f.line))
	}
	return f.drawLines(l, width, height, heads, "", func(i int) string {
		row := f.shown.rows[i]
		here := document.LineAt(f.shown.rows, i) == about
		r := l.Ribbon(width)
		drawMargin(&r, row, digits, here)
		if here {
			r.Under = l.Theme.Selected
		}
		row.Draw(&r)
		if here {
			r.To(width - 1)
			r.Under = ""
		}
		return r.Line()
	})
}

// drawMargin draws the sign and the number to the left of a row.
func drawMargin(r *draw.Ribbon, row document.Row, digits int, here bool) {
	l := r.Look
	if here {
		r.Sign(l.Theme.Accent, l.Glyphs.Marker)
	}
	r.To(1)
	if digits == 0 {
		return
	}
	if row.Line > 0 {
		number := strconv.Itoa(row.Line)
		r.Gap(digits - len(number))
		st := l.Theme.Dim
		if here {
			st = l.Theme.Accent
		}
		r.Add(st, number)
	}
	r.To(digits + 2)
}
