package tui

// Starting the user's own programs: an editor at the line, a pager. Paths are first resolved inside the project, in a
// command. No shell is involved: nothing in a file or its name is ever run as a command.

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"gatehouse/model"
	"gatehouse/tui/decide"
	"gatehouse/tui/index"
	"gatehouse/tui/pane"
)

// pathMsg has the path of a file to open, or the reason why it can't be opened.
type pathMsg struct {
	path    string
	line    int
	program []string // the program and its first arguments
	pager   bool
	err     error
}

// editFile opens the file of the selection.
func (d *dashboard) editFile() tea.Cmd {
	s, _ := d.selectedSubject()
	return d.openWith(s.Site, d.selectedPos(s), d.editorCommand(), false)
}

// selectedPos returns the position of the selection, or of the visible line in the file pane.
func (d *dashboard) selectedPos(s pane.Subject) model.Pos {
	if at := d.file.Pos(); d.focus == pane.FileID && at.File != "" {
		return at
	}
	return s.Source
}

// Show opens a file in the user's pager, else in the editor.
func (d *dashboard) Show(s *index.Site, at model.Pos) tea.Cmd {
	if pager := strings.Fields(d.envValue("PAGER")); len(pager) > 0 {
		return d.openWith(s, at, pager, true)
	}
	return d.openWith(s, at, d.editorCommand(), false)
}

// openArtifact opens the shown file of a row, or its first one.
func (d *dashboard) openArtifact() tea.Cmd {
	s, _ := d.selectedSubject()
	at := model.Pos{File: s.Files()[0].File}
	if shown := d.file.Pos(); d.inView(pane.FileID) && shown.File != "" {
		at = shown
	} else if at.File == s.Source.File {
		at = s.Source
	}
	return d.Show(s.Site, at)
}

// openWith returns the command that resolves a file's path, after which the program is started.
func (d *dashboard) openWith(s *index.Site, pos model.Pos, program []string, pager bool) tea.Cmd {
	files := d.opts.Files
	if files == nil {
		return d.showRefusal("files cannot be opened here")
	}
	root := s.Project.Root
	return func() tea.Msg {
		at, err := files.Path(root, pos.File)
		return pathMsg{at, pos.Line, program, pager, err}
	}
}

// startProgram gives the terminal to a program.
func (d *dashboard) startProgram(msg pathMsg) tea.Cmd {
	if msg.err != nil {
		return d.showRefusal(msg.err.Error())
	}
	args := append(msg.program[1:len(msg.program):len(msg.program)], atLine(msg.program[0], msg.path, msg.line)...)
	cmd := exec.Command(msg.program[0], args...)
	if d.opts.Env != nil {
		cmd.Env = d.opts.Env
	}
	if msg.pager { // a pager that exits at once after a short text would show nothing
		env := cmd.Env
		if env == nil {
			env = os.Environ()
		}
		cmd.Env = append(env[:len(env):len(env)], "LESS="+strings.TrimSpace(uv.Environ(env).Getenv("LESS")+" -+F"))
	}
	name := filepath.Base(msg.program[0])
	return d.runInTerminal(cmd, func(err error) tea.Msg {
		return decide.Result{Take: func() tea.Cmd { return d.programEnded(name, err) }}
	})
}

func (d *dashboard) programEnded(name string, err error) tea.Cmd {
	if err != nil {
		return d.showRefusal(name + ": " + err.Error() + "; $VISUAL, $EDITOR and $PAGER say what to use")
	}
	return nil
}

// editorCommand returns the user's editor with its arguments.
func (d *dashboard) editorCommand() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(d.envValue(name)); len(words) > 0 {
			return words
		}
	}
	if runtime.GOOS == "windows" {
		return []string{"notepad"}
	}
	return []string{"vi"}
}

// atLine returns the arguments that open a file at a line, in the syntax of a program. The path is absolute,
// so that it can't be taken for an option.
func atLine(program, file string, line int) []string {
	if line <= 0 {
		return []string{file}
	}
	n := strconv.Itoa(line)
	switch strings.TrimSuffix(filepath.Base(program), ".exe") {
	case "vi", "vim", "nvim", "view", "nano", "emacs", "emacsclient", "mg", "joe", "kak", "micro", "less", "more", "most":
		return []string{"+" + n, file}
	case "code", "code-insiders", "codium", "cursor", "windsurf":
		return []string{"--goto", file + ":" + n}
	case "hx", "helix", "subl", "zed", "zeditor":
		return []string{file + ":" + n}
	}
	return []string{file}
}
